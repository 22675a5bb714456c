// Allowed dependencies between areas, per app: everything not listed is refused. Read by the import check
// (.dependency-cruiser.cjs) and by scripts/areas.ts, which also counts SQL on another area's table as a dependency. The
// edges sort topologically, and each is used. A new edge is a decision: give its reason in the same commit.
export const edges: Record<'server' | 'portal', Record<string, string[]>> = {
  server: {
    // who leads an organisation; the one way in; an application is a task
    applications: ['identity', 'members', 'messages', 'tasks'],
    // whom one asks; what they are told by; whose steps they handle
    delegations: ['identity', 'messages', 'tasks'],
    // settings; passwords, sessions and who somebody is; codes to contacts; where a password is kept that is not kept here
    account: ['directory', 'identity', 'passwordless', 'personal', 'second-factor'],
    // an uploaded file; whose calendars they are; the events, how they are read and repeat
    'calendar-exchange': ['calendars', 'files', 'identity', 'schedule'],
    // app passwords, and who is told; whose calendars they are; events, how they are read, written and repeat; who is invited
    caldav: [
      'appointments',
      'caldav-scheduling',
      'calendar-exchange',
      'calendars',
      'identity',
      'schedule',
    ],
    // how people are invited and answer; lines of a calendar file; whom one wants to hear from, and who shows an address
    'caldav-scheduling': ['appointments', 'calendar-exchange', 'identity', 'privacy', 'schedule'],
    // who people are and how they are found, who leads, what they show and whether they want to be found
    'address-book': ['identity', 'members', 'privacy'],
    // services of a theme
    aggregation: ['services'],
    // which columns somebody writes for; what waits to be confirmed is a message
    announcements: ['editorial', 'identity', 'messages', 'news'],
    // who signs in, which systems may ask, what members have agreed to, logins elsewhere
    'central-login': ['browsers', 'consent', 'federation', 'identity', 'registry'],
    // whose code it is, and while which session lives; the card, and what its system is told; which system reads a code
    'e-card': ['identity', 'personal-sources', 'registry'],
    // whose data it is, and where that comes from; whom operators look after; an answer arrives as a message
    corrections: ['identity', 'members', 'messages'],
    // which external login stands for the central one; what tabs may be named by
    config: ['federation', 'identity'],
    // which systems there are, and which of their sessions end when a member takes something back; who may use a service
    consent: ['identity', 'registry', 'services'],
    // what is read in a directory becomes members as what is read in a file
    directory: ['identity', 'members'],
    // feeds become articles as files do; who writes for which department, and may do so
    // pictures of other sites become files of whoever writes
    editorial: ['files', 'identity', 'messages', 'news', 'operators'],
    // how it is judged, what is judged, and photos of it encoded again
    evaluation: ['identity', 'images', 'services'],
    // what a device says of itself, and whether a member wants it kept by name
    events: ['browsers', 'privacy'],
    // what is made a favourite must be there for the member and readable; whether a member wants it kept what was read
    favourites: ['files', 'identity', 'news', 'privacy', 'service-catalogue', 'services'],
    // who signs in, and a proof of who they are; passkeys count as one; tokens of WeCom
    federation: ['browsers', 'identity', 'members', 'passwordless', 'second-factor', 'wechat'],
    // which departments somebody answers for; photos encoded again; an answer is a message; the service it is about
    feedback: ['editorial', 'identity', 'images', 'messages', 'services'],
    // which services somebody may see, and what is found of them
    health: ['identity', 'services'],
    // home's first request answers for the whole screen, whose page is painted with names and tabs
    home: [
      // the class that a page was painted for is a cookie
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
    // the browser somebody signs in with
    identity: ['browsers'],
    // what a provider is and how it is asked
    'identity-providers': ['federation', 'members'],
    // departments and audiences that operators name are checked alike; an answer arrives as a message
    mailbox: ['editorial', 'identity', 'messages'],
    // whose account an import or an operator is about
    members: ['identity'],
    // whom systems may send to; the system that sends; the one way in
    'message-integration': ['files', 'identity', 'messages', 'registry'],
    // whom an audience admits
    messages: ['identity'],
    // where somebody can be reached, in WeCom and WeChat too, and the token for that; what lies in the inbox
    notifications: ['federation', 'identity', 'messages', 'wechat'],
    // open devices are told of both: what is unread and what waits
    live: ['messages', 'tasks'],
    // whose comments somebody has blocked; which messages an app group holds
    news: ['identity', 'messages', 'privacy'],
    // the pages and the session of the central login, who may use it, what members agreed to
    openid: ['central-login', 'consent', 'identity', 'registry'],
    // who an account belongs to; how numbers and addresses are hidden
    operators: ['identity', 'members', 'personal'],
    // who signs in; where a password is kept that is not kept here
    passwordless: ['browsers', 'directory', 'identity'],
    // a new portrait is received, checked and encoded as files are
    personal: ['files', 'identity'],
    // about whom a system is asked; how systems are asked by a description; that one which fails is left alone
    'personal-sources': ['identity', 'task-integration', 'upstreams'],
    // that somebody has just confirmed who they are; the institution is told of a closing; what operators may not close
    privacy: ['identity', 'members', 'messages', 'operators'],
    // what an action that a source refused is told by; whom one hands a task on to, and that somebody has just shown who they are
    tasks: ['identity', 'messages'],
    // whom tasks are for; the system that puts them in; what members did about them
    'task-integration': ['identity', 'registry', 'tasks'],
    // the one way in; how people are found, and whom they want to hear from; what one came from
    todos: ['identity', 'members', 'messages', 'news', 'privacy', 'schedule'],
    // the one way in; by which channels somebody is reached, and what went out by them; who they are, how they
    // are found, and whom they want to hear from
    // lists of people are contact groups; the people of courses and of events
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
    // lists are contact groups; whom a sender may choose and reach
    recipients: ['address-book', 'identity', 'sending'],
    // who keeps it; with whom a sender may share; who sends what to whom
    'sending-templates': ['identity', 'recipients', 'sending'],
    // the sessions whose end is told; the service that a system is
    registry: ['identity', 'services'],
    // whose calendar it is; an event out of a message
    // the events in it; who hears that one is shared
    calendars: ['identity', 'messages', 'schedule'],
    // where they go; how they are read and written out; who is invited, and whom one wants to hear from
    appointments: ['calendars', 'identity', 'messages', 'privacy', 'schedule'],
    schedule: ['identity'],
    // events as they are written out; who organises them, and hears of an answer; occurrences
    invitations: ['appointments', 'calendar-exchange', 'identity', 'schedule'],
    // events as members make them, in calendars that a department keeps, and with whom these are shared
    'department-calendars': ['appointments', 'calendars', 'identity', 'schedule'],
    // lessons become events of courses' calendars; whoever attends is told of changes
    timetables: ['identity', 'messages', 'schedule'],
    // the device that answers the roll; what people show of themselves; the one way in; lessons, and dates beside them;
    // coursework is a task; courses and who is in them
    study: ['browsers', 'identity', 'messages', 'privacy', 'schedule', 'tasks', 'timetables'],
    // the browser a launch began in; who comes; courses, their materials and marks, and who is in them
    lti: ['browsers', 'identity', 'schedule', 'study', 'timetables'],
    // terms by their codes; what another system asks for and has marked, and the tasks of it; courses, rosters, how rows come in
    rostering: ['identity', 'schedule', 'study', 'tasks', 'timetables'],
    // which departments an operator looks after; who answers, and is told; what was said before
    desk: ['editorial', 'identity', 'messages', 'robot'],
    // which departments somebody writes for; who reviews an answer, and is told of it
    knowledge: ['editorial', 'identity', 'messages'],
    // the model, where there is one; what it answers from: all that can be found, questions, articles, the steps of guides; one’s day; to whom letters go
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
    // the browser a code is shown in; who signs in with it, and has confirmed it
    'scan-login': ['browsers', 'identity'],
    // what a system says of a code; which service an address belongs to, as pages are framed
    scan: ['personal-sources', 'services', 'webview'],
    // who people are and how they are found, and what the address book shows of them; what means the same
    search: ['address-book', 'identity', 'members', 'services'],
    // what is pushed becomes members as what is read in a file
    scim: ['identity', 'members'],
    // who signs in and who has confirmed it
    'second-factor': ['identity', 'members'],
    // how a service sounds and is found, the themes it is in, the system it is
    'service-catalogue': ['aggregation', 'identity', 'registry', 'services'],
    // a token for what is registered, once it may be told of the member
    'service-opening': ['consent', 'registry', 'services'],
    // whether a member wants their use kept; which department offers it
    services: ['identity', 'privacy'],
    // who a session belongs to, how it was opened and is ended
    sessions: ['browsers', 'identity', 'members'],
    // what is shared, for whoever may see it
    share: ['news', 'services'],
    // what waits in each of them, and what a department has there
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
    // which organization a member belongs to
    upstreams: ['identity'],
    // which address a machine may have, and the day its use is counted by; what is translated, for whoever may read it
    translation: ['assistant', 'messages', 'news'],
    // which addresses open inside the app, and how the member is signed on to them
    webview: ['service-opening', 'services'],
  },
  portal: {
    // the puzzle before a password; external logins one has bound; passkeys; the way to where a password is kept
    account: ['federation', 'login', 'second-factor', 'webview'],
    aggregation: ['services'],
    // codes to pay with; the days of a month as the schedule asks for them
    offline: ['e-card', 'schedule'],
    // people found by name; a message to somebody
    'address-book': ['people', 'sending'],
    // an announcement that wants to be confirmed; the star; the files that hang on an article; the list it stands in; sharing;
    // a machine's translation
    article: ['announcements', 'favourites', 'files', 'news', 'share', 'translation'],
    // pictures and attachments are sent as any file; of which department, and for whom
    editorial: ['workbench'],
    writing: ['article', 'editorial', 'files', 'rich-text', 'workbench'],
    evaluation: ['service-opening', 'workbench'],
    // of which department its letters are
    mailbox: ['workbench'],
    // the attachments of a guide; of which department, and for whom
    'service-catalogue': ['files', 'workbench'],
    // of which department, and for whom; the form of an event, its days and how it is shown
    'department-calendars': ['appointments', 'calendars', 'event-detail', 'schedule', 'workbench'],
    favourites: ['service-opening'],
    // of which department it is
    feedback: ['workbench'],
    // what is due after it, and the proof before: a password or a code
    federation: ['login', 'passwordless'],
    // the star above a file
    files: ['favourites'],
    // also what changed in the timetable; what systems know of the member
    home: [
      'e-card',
      'news',
      'personal-sources',
      'scan',
      'service-opening',
      'services',
      // when they are due; what may be done about them, here
      'task-handling',
      'tasks',
      'timetables',
    ],
    // a sign-in asks for what is due, offers passkeys and, on a computer, a code to scan
    login: ['scan-login', 'second-factor'],
    // a computer in words
    'scan-login': ['sessions'],
    // one tab shows messages and tasks, each in its half; the files that hang on a message; a machine's translation
    messages: ['files', 'tasks', 'translation'],
    // the frame of every way of signing in, its steps and its puzzle; the way to where a password is kept
    passwordless: ['login', 'webview'],
    // what is shown of the card, and how old that is
    'e-card': ['personal-sources'],
    // how many articles are new, beside the way to them; the card, and what systems know
    personal: ['e-card', 'news', 'personal-sources'],
    // one of a few, side by side
    privacy: ['personal'],
    rankings: ['service-opening'],
    // how a line is shown
    desk: ['robot'],
    // files of a course; when work is due, in words
    study: ['files', 'tasks'],
    // the services an answer leads to
    robot: ['service-opening'],
    // the day in another zone; what changed in the timetable; what is due on it; days as a picture
    schedule: ['time-zone', 'timetables', 'todos', 'week-picture'],
    // days and their words, what is on at a time; rules in words; reminders by name; people found by name; zones by name
    // its files, and what kind of event it is
    appointments: [
      'calendars',
      'event-category',
      'files',
      'people',
      'recurrence',
      'schedule',
      'time-zone',
    ],
    // colours by name
    'event-category': ['calendars'],
    // colours, settings and the clock of the schedule
    calendars: ['schedule'],
    // what calendars there are, their colours; the colours of events
    'calendar-exchange': ['calendars', 'schedule'],
    // which occurrences a change is for; its files; reminders and rules in words; days, colours and zones; the way to a room
    'event-detail': [
      'appointments',
      'calendars',
      'files',
      'recurrence',
      'schedule',
      'time-zone',
      'timetables',
    ],
    // days
    recurrence: ['schedule'],
    // when one is reminded of to-dos
    notifications: ['tasks'],
    // what is asked in a form
    applications: ['forms'],
    // who handles one's tasks
    delegations: ['forms'],
    // files that are filled in
    forms: ['files'],
    // what its applicant may do about an application; files of a form; what may be done with a task
    tasks: ['applications', 'files', 'task-groups', 'task-handling'],
    // what an action asks for; the group a task is put into
    'task-handling': ['forms', 'task-groups'],
    // people found by name; when something is due, in words
    todos: ['people', 'tasks'],
    // the message whose recipients they are
    recipients: ['sending'],
    // files that go along; what channels are called; the institution's zone by its name
    // the editor; texts that are kept
    sending: ['files', 'notifications', 'rich-text', 'sending-templates', 'time-zone'],
    // codes that are scanned; opening a service that was found
    search: ['scan', 'service-opening'],
    // the steps and guards of account security
    'security-questions': ['account'],
    // whether a service is out of service
    'service-opening': ['health'],
    // what members say of a service, the star, its outages, opening and sharing it
    services: ['evaluation', 'favourites', 'health', 'service-opening', 'share'],
    // a shared service is opened, and may be out of service
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
  // also where an account comes from, and what its person may operate
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
  // also what is found of a service: every list of services says it
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
