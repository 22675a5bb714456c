// Over 400 lines: a table of every area, with a reason for each of its edges.
//
// Allowed dependencies between areas, per app: everything not listed is refused. Read by the import check
// (.dependency-cruiser.cjs) and by scripts/areas.ts, which also counts SQL on another area's table as a dependency. The
// edges sort topologically, and each is used. A new edge is a decision: give its reason in the same commit.
export const edges: Record<'server' | 'portal', Record<string, string[]>> = {
  server: {
    // Heads of organisations as approvers; messages about decisions; each step of an application is a task.
    applications: ['identity', 'members', 'messages', 'tasks'],
    // Accounts of delegates; messages to them; the tasks that a delegate handles.
    delegations: ['identity', 'messages', 'tasks'],
    // Passwords, sessions and confirmation; factors; verification of contacts by code; where members of a directory
    // change their password.
    account: ['directory', 'identity', 'passwordless', 'personal', 'second-factor'],
    // Uploaded calendar files; calendars and their members; reading, writing and expanding events.
    'calendar-exchange': ['calendars', 'files', 'identity', 'schedule'],
    // App passwords and notifications about them; calendars; events as iCalendar objects; participants and their
    // answers.
    caldav: [
      'appointments',
      'caldav-scheduling',
      'calendar-exchange',
      'calendars',
      'identity',
      'schedule',
    ],
    // Participants and their answers; iCalendar lines; who declines to be invited, and whose mail address is visible.
    'caldav-scheduling': ['appointments', 'calendar-exchange', 'identity', 'privacy', 'schedule'],
    // Accounts and organisations; heads of organisations and search by name; visible fields and whether a member is
    // listed.
    'address-book': ['identity', 'members', 'privacy'],
    // A theme consists of services.
    aggregation: ['services'],
    // Which columns an operator may write in; reminders to confirm are messages; an announcement is an article.
    announcements: ['editorial', 'identity', 'messages', 'news'],
    // Accounts and central sessions; cookies; registered systems; consent of members; links to external logins.
    'central-login': ['browsers', 'consent', 'federation', 'identity', 'registry'],
    // The session a pay code belongs to; card data and actions of the card system; registered systems that read codes.
    'e-card': ['identity', 'personal-sources', 'registry'],
    // Member data and its source; which members an operator may act on; an answer is a message.
    corrections: ['identity', 'members', 'messages'],
    // Which external login replaces the central one; identity types that tabs refer to.
    config: ['federation', 'identity'],
    // Registered systems, and logout from them when a member withdraws consent; who may use a service.
    consent: ['identity', 'registry', 'services'],
    // Directory entries are imported like entries of a file.
    directory: ['identity', 'members'],
    // Articles, also from feeds; messages to authors and reviewers; which members may write for a department; pictures
    // copied from other sites become files of the author.
    editorial: ['files', 'identity', 'messages', 'news', 'operators'],
    // Services visible to a member; photos are encoded again; departments of the services.
    evaluation: ['identity', 'images', 'services'],
    // Device data from the user agent; whether a member allows usage records.
    events: ['browsers', 'privacy'],
    // Services, articles and files visible to a member; whether a member allows usage records.
    favourites: ['files', 'identity', 'news', 'privacy', 'service-catalogue', 'services'],
    // Accounts and sign-ins; proof of identity by code, password or passkey; WeCom and WeChat tokens; messages to the
    // member.
    federation: ['browsers', 'identity', 'members', 'passwordless', 'second-factor', 'wechat'],
    // Which departments an operator looks after; photos are encoded again; an answer is a message; the service
    // concerned.
    feedback: ['editorial', 'identity', 'images', 'messages', 'services'],
    // Services visible to a member, also in search results.
    health: ['identity', 'services'],
    // One request returns the data of the whole screen; the painted page contains names and tabs.
    home: [
      // The cookie with the class of the painted page.
      'browsers',
      'config',
      'map',
      'messages',
      'news',
      'personal',
      'personal-sources',
      'schedule',
      'services',
      'tasks',
    ],
    // Cookies and devices of sign-ins; the captcha.
    identity: ['browsers'],
    // Identity providers and their protocols; which members an operator may act on.
    'identity-providers': ['federation', 'members'],
    // Departments that operators enter are validated as in editorial; an answer is a message.
    mailbox: ['editorial', 'identity', 'messages'],
    // Accounts that imports and operators change.
    members: ['identity'],
    // Accounts of recipients; registered systems as senders; messages; files are uploaded like those of members.
    'message-integration': ['files', 'identity', 'messages', 'registry'],
    // Accounts in an audience.
    messages: ['identity'],
    // Contact data, WeCom and WeChat accounts and their tokens; messages in the inbox.
    notifications: ['federation', 'identity', 'messages', 'wechat'],
    // Open pages receive the counts of unread messages and open tasks.
    live: ['messages', 'tasks'],
    // Comments of blocked members are hidden; app groups contain message applications.
    news: ['identity', 'messages', 'privacy'],
    // Pages and session of the central login; accounts; registered systems; consent of members.
    openid: ['central-login', 'consent', 'identity', 'registry'],
    // Accounts and their grants; which members an operator may act on; masked phone numbers and mail addresses.
    operators: ['identity', 'members', 'personal'],
    // Accounts and sign-ins; devices; where members of a directory change their password.
    passwordless: ['browsers', 'directory', 'identity'],
    // Account data; a portrait is received, checked and encoded like a file.
    personal: ['files', 'identity'],
    // Account data in requests; requests to systems are described as for tasks; a circuit breaker per system.
    'personal-sources': ['identity', 'task-integration', 'upstreams'],
    // Confirmation of identity; messages to the institution about account closings; which members an operator may act
    // on; lookups by operators.
    privacy: ['identity', 'members', 'messages', 'operators'],
    // Delegates and confirmation of identity; a failed action is reported by a message.
    tasks: ['identity', 'messages'],
    // Accounts of assignees; registered systems that push tasks; tasks and their outcomes.
    'task-integration': ['identity', 'registry', 'tasks'],
    // Search by name; messages to participants; who refuses to-dos; the article, message or event a to-do refers to.
    todos: ['identity', 'members', 'messages', 'news', 'privacy', 'schedule'],
    // Messages; channels, and whether a member received a notification; search by name, and who refuses messages;
    // recipients from contact groups, courses and events.
    sending: [
      'address-book',
      'identity',
      'members',
      'messages',
      'notifications',
      'privacy',
      'schedule',
      'timetables',
    ],
    // Lists are contact groups; which recipients a sender may choose and reach.
    recipients: ['address-book', 'identity', 'sending'],
    // Owner of a template; departments it can be shared with; senders, recipients and their values.
    'sending-templates': ['identity', 'recipients', 'sending'],
    // Sessions whose end is reported to systems; the service that belongs to a system.
    registry: ['identity', 'services'],
    // Accounts of members; messages about shares and creation of events from messages; the events of a calendar.
    calendars: ['identity', 'messages', 'schedule'],
    // Calendars of events; reading and writing events; participants, their messages and who declines to be invited;
    // English names of rooms.
    appointments: ['calendars', 'identity', 'map', 'messages', 'privacy', 'schedule'],
    // English names of rooms come from the places they are in.
    schedule: ['identity', 'map'],
    // Events in iCalendar; organisers, who are notified of answers; occurrences.
    invitations: ['appointments', 'calendar-exchange', 'identity', 'schedule'],
    // Events as members create them, in calendars of departments; shares of these calendars; English names of rooms.
    'department-calendars': ['appointments', 'calendars', 'identity', 'map', 'schedule'],
    // Lessons become events in calendars of courses; participants are notified of changes, in English with the English
    // names of rooms.
    timetables: ['identity', 'map', 'messages', 'schedule'],
    // Device of a roll-call answer; visible member fields; messages; events; coursework as tasks; courses and their
    // members; English names of rooms.
    study: [
      'browsers',
      'identity',
      'map',
      'messages',
      'privacy',
      'schedule',
      'tasks',
      'timetables',
    ],
    // Cookie of the browser that started a launch; accounts; courses with their members, materials and marks.
    lti: ['browsers', 'identity', 'schedule', 'study', 'timetables'],
    // Terms; coursework and marks of other systems, and tasks for it; import of courses and their members.
    rostering: ['identity', 'schedule', 'study', 'tasks', 'timetables'],
    // Departments an operator looks after; messages about answers; the dialog with the robot.
    desk: ['editorial', 'identity', 'messages', 'robot'],
    // Departments an operator writes for; reviewers and messages to them.
    knowledge: ['editorial', 'identity', 'messages'],
    // The language model; sources of answers: search, questions, articles, guides, mailboxes and the member’s day.
    robot: [
      'assistant',
      'identity',
      'knowledge',
      'mailbox',
      'news',
      'schedule',
      'search',
      'services',
    ],
    // Device and cookie of the browser that shows the code; accounts, sign-ins and confirmation of identity.
    'scan-login': ['browsers', 'identity'],
    // Systems that interpret codes; the service of an address; the prefix of addresses opened in the web view.
    scan: ['personal-sources', 'services', 'webview'],
    // Accounts and search by name; what the address book shows of people; synonyms of services.
    search: ['address-book', 'identity', 'members', 'services'],
    // Pushed entries are imported like entries of a file.
    scim: ['identity', 'members'],
    // Sign-ins and confirmation of identity; which members an operator may act on.
    'second-factor': ['identity', 'members'],
    // Services and how they are indexed; themes they belong to; the registered system of a service.
    'service-catalogue': ['aggregation', 'identity', 'registry', 'services'],
    // A token for a registered system, issued with the member’s consent.
    'service-opening': ['consent', 'registry', 'services'],
    // Whether a member allows usage records; the department of a service.
    services: ['identity', 'privacy'],
    // Accounts, their sign-ins and how they end; devices; which members an operator may act on.
    sessions: ['browsers', 'identity', 'members'],
    // Articles and services, if visible to the viewer.
    share: ['news', 'services'],
    // Pending items of each area, and the items of a department.
    workbench: [
      'announcements',
      'department-calendars',
      'editorial',
      'evaluation',
      'feedback',
      'health',
      'identity',
      'mailbox',
      'news',
      'schedule',
      'service-catalogue',
      'services',
    ],
    // The organisation of a member.
    upstreams: ['identity'],
    // Which address a model may have, and the day its usage counts for; messages and articles visible to the viewer.
    translation: ['assistant', 'messages', 'news'],
    // Which addresses open inside the app, and how the member is signed in there.
    webview: ['service-opening', 'services'],
  },
  portal: {
    // The captcha of a password form; linked external logins; passkeys; the link to an external password page.
    account: ['federation', 'login', 'second-factor', 'webview'],
    aggregation: ['services'],
    // Stored pay codes; the days of a month, as the schedule requests them.
    offline: ['e-card', 'schedule'],
    // The list of people; sending a message to somebody.
    'address-book': ['people', 'sending'],
    // Confirming an announcement; favourites; attachments; the list an article belongs to; sharing; machine
    // translation.
    article: ['announcements', 'favourites', 'files', 'news', 'share', 'translation'],
    // The department and the audience.
    editorial: ['workbench'],
    writing: ['article', 'editorial', 'files', 'rich-text', 'workbench'],
    evaluation: ['service-opening', 'workbench'],
    // The department.
    mailbox: ['workbench'],
    // Attachments of a guide; the department and the audience.
    'service-catalogue': ['files', 'workbench'],
    // The department and the audience; the event form, calendar views and event details.
    'department-calendars': ['appointments', 'calendars', 'event-detail', 'schedule', 'workbench'],
    favourites: ['service-opening'],
    // The department.
    feedback: ['workbench'],
    // Steps after signing in; proof of identity by password or code.
    federation: ['login', 'passwordless'],
    // The favourite button of a file.
    files: ['favourites'],
    // Also timetable changes and data of other systems.
    home: [
      'e-card',
      'news',
      'personal-sources',
      'scan',
      'service-opening',
      'services',
      // Due dates in words, and the actions on a task.
      'task-handling',
      'tasks',
      'timetables',
    ],
    // Steps after signing in, passkeys and, on a computer, a code to scan.
    login: ['scan-login', 'second-factor'],
    // The name and the place of a device.
    'scan-login': ['sessions'],
    // One tab shows messages and tasks; attachments of a message; machine translation.
    messages: ['files', 'tasks', 'translation'],
    // Frame, steps and captcha shared by all sign-in pages; the link to an external password page.
    passwordless: ['login', 'webview'],
    // Card data and its age.
    'e-card': ['personal-sources'],
    // The number of new articles; the card; data of other systems.
    personal: ['e-card', 'news', 'personal-sources'],
    // The segmented choice.
    privacy: ['personal'],
    rankings: ['service-opening'],
    // A line of a dialog.
    desk: ['robot'],
    // Course files; due dates in words.
    study: ['files', 'tasks'],
    // Services that an answer links to.
    robot: ['service-opening'],
    // The day in another time zone; timetable changes; to-dos due on a day; the week as a picture.
    schedule: ['time-zone', 'timetables', 'todos', 'week-picture'],
    // Clock, days and weekdays; recurrence rules in words; names of reminders, zones and categories; people; files.
    appointments: [
      'calendars',
      'event-category',
      'files',
      'people',
      'recurrence',
      'schedule',
      'time-zone',
    ],
    // Names of colours.
    'event-category': ['calendars'],
    // Settings and clock of the schedule; names of time zones.
    calendars: ['schedule', 'time-zone'],
    // Calendars and their colours; settings of the schedule.
    'calendar-exchange': ['calendars', 'schedule'],
    // The scope of a change; files; reminders and recurrence rules in words; days and zones; the way to a room.
    'event-detail': [
      'appointments',
      'calendars',
      'files',
      'recurrence',
      'schedule',
      'time-zone',
      'timetables',
    ],
    // Calculation with days.
    recurrence: ['schedule'],
    // Settings of reminders.
    notifications: ['tasks'],
    // The fields of a form.
    applications: ['forms'],
    // The person field.
    delegations: ['forms'],
    // The files field.
    forms: ['files'],
    // Actions of the applicant; attachments; groups; actions on a task.
    tasks: ['applications', 'files', 'task-groups', 'task-handling'],
    // The fields an action requires; choosing a group.
    'task-handling': ['forms', 'task-groups'],
    // The list of people; due dates in words.
    todos: ['people', 'tasks'],
    // The draft whose recipients they are.
    recipients: ['sending'],
    // The editor; attachments; names of channels and zones; templates.
    sending: ['files', 'notifications', 'rich-text', 'sending-templates', 'time-zone'],
    // Scanning a code; opening a service that was found.
    search: ['scan', 'service-opening'],
    // Steps and guards of account security.
    'security-questions': ['account'],
    // Whether a service is down.
    'service-opening': ['health'],
    // Ratings, favourites, outages, opening and sharing of a service.
    services: ['evaluation', 'favourites', 'health', 'service-opening', 'share'],
    // Opening a shared service, which may be down.
    share: ['health', 'service-opening'],
  },
}

/**
 * The area of each table created by a migration without an area in its name. A migration `YYYYMMDDHHMM-area-what.ts`
 * assigns its tables to that area. Tables of the platform are open to every area.
 */
export const tables: Record<string, string> = {
  platform:
    'installation topic_version audience config_value signing_key file file_use running_node outbox audit_entry audit_checkpoint',
  // Including the source of an account and the grants of operators.
  identity:
    'identity_type organization member_group person account group_member session ticket login_throttle sign_in refresh_token authentication_log known_device account_proof directory directory_entry scim_user operator_grant operator_permission',
  browsers: 'captcha_used',
  account: 'security_question',
  'second-factor': 'totp recovery_code passkey webauthn_challenge',
  passwordless: 'contact_code code_request',
  federation: 'identity_provider federated_identity federated_login',
  directory: 'directory_organization directory_group directory_run directory_run_row',
  scim: 'scim_client scim_group',
  operators: 'operator_role member_lookup',
  wechat: 'wechat_credential',
  registry: 'relying_party logout_notice relying_party_session',
  consent: 'consent attribute_release',
  'central-login': 'used_ticket',
  openid: 'openid_entry openid_rsa_key',
  // Including outages, which every list of services shows.
  services:
    'service_type service service_use service_use_day service_rank service_synonym service_guide service_guide_step service_guide_material service_guide_attachment service_guide_alert service_favourite service_host service_page service_health service_maintenance',
  'service-catalogue': 'service_owner service_placement service_placement_cancel',
  health: 'service_report',
  evaluation: 'evaluation_standard evaluation evaluation_score evaluation_upload evaluation_photo',
  aggregation: 'service_aggregation service_aggregation_member',
  news: 'news_column article notice article_attachment article_work news_picture news_subscription article_like article_comment article_comment_report article_read_salt article_reader article_read_day article_popular message_app_group message_app_in_group',
  editorial: 'article_version article_remark news_column_reviewer news_feed',
  announcements: 'announcement_confirmation',
  mailbox: 'mailbox letter',
  files: 'file_owner file_preview',
  'message-integration': 'message_event message_file',
  notifications:
    'push_key push_subscription notification_choice attention_setting attention_default notification_waiting notification',
  sending:
    'sending sending_recipient sending_channel sending_reminder sending_draft sending_policy',
  'sending-templates': 'sending_template',
  'calendar-exchange': 'calendar_feed calendar_source',
  caldav: 'caldav_password caldav_object event_revision',
  invitations: 'invitation invitation_reply',
  timetables: 'class_period course lesson lesson_change lesson_event',
  study:
    'study_course study_unit study_material study_seen study_assignment study_result study_announcement study_attendance study_attended',
  rostering: 'study_source study_source_record study_source_course',
  lti: 'lti_tool lti_link lti_line_item lti_launch lti_used',
  todos: 'todo todo_member todo_reminder',
  messages: 'message_app message_kind message message_attachment message_delivery message_box',
  tasks:
    'task task_step task_outcome task_count task_group task_in_group task_setting task_phrases task_delegation task_delegate task_delegation_policy',
  'task-integration': 'task_source',
  applications:
    'application_form application_form_version application application_step application_file',
  members: 'organization_head',
  schedule:
    'academic_term holiday calendar calendar_member calendar_subscription calendar_share calendar_hidden calendar_position schedule_setting event event_file event_participant event_reminder event_override event_occurrence occurrence_change',
  'address-book': 'address_book_post address_book_favourite address_book_use',
  feedback: 'feedback_kind feedback feedback_line feedback_upload feedback_photo',
  'personal-sources': 'personal_card personal_source',
  privacy: 'privacy_setting member_block personal_export account_closing',
  favourites: 'article_favourite file_favourite article_visit',
  events: 'user_event',
  launch: 'launch_item',
  map: 'place',
}
