import { m } from '#paraglide/messages.js'

/** Help topics, in the order in which beginners need them; each line of a text is a step. */
export const helpTopics = [
  {
    key: 'start',
    title: m.workbench_help_start,
    text: m.workbench_help_start_text,
    to: '/pages/secondWork/secondWorkIndex',
  },
  {
    key: 'write',
    title: m.workbench_help_write,
    text: m.workbench_help_write_text,
    to: '/pages/secondWork/news/news',
  },
  {
    key: 'files',
    title: m.workbench_help_files,
    text: m.workbench_help_files_text,
    to: undefined,
  },
  {
    key: 'review',
    title: m.workbench_help_review,
    text: m.workbench_help_review_text,
    to: undefined,
  },
  {
    key: 'publish',
    title: m.workbench_help_publish,
    text: m.workbench_help_publish_text,
    to: undefined,
  },
  {
    key: 'confirm',
    title: m.workbench_help_confirm,
    text: m.workbench_help_confirm_text,
    to: '/pages/secondWork/gonggao/gonggaoList',
  },
  {
    key: 'columns',
    title: m.workbench_help_columns,
    text: m.workbench_help_columns_text,
    to: '/pages/secondWork/columnSet',
  },
  {
    key: 'letters',
    title: m.workbench_help_letters,
    text: m.workbench_help_letters_text,
    to: '/pages/secondWork/letters',
  },
  {
    key: 'feedback',
    title: m.workbench_help_feedback,
    text: m.workbench_help_feedback_text,
    to: '/pages/secondWork/feedback',
  },
  {
    key: 'services',
    title: m.workbench_help_services,
    text: m.workbench_help_services_text,
    to: '/pages/secondWork/service/serviceSet',
  },
  {
    key: 'maintenance',
    title: m.workbench_help_maintenance,
    text: m.workbench_help_maintenance_text,
    to: '/pages/secondWork/service/serviceSet',
  },
  {
    key: 'opinions',
    title: m.workbench_help_opinions,
    text: m.workbench_help_opinions_text,
    to: '/pages/secondWork/service/opinions',
  },
  {
    key: 'calendars',
    title: m.workbench_help_calendars,
    text: m.workbench_help_calendars_text,
    to: '/pages/secondWork/calendar/calendarSet',
  },
  {
    key: 'rights',
    title: m.workbench_help_rights,
    text: m.workbench_help_rights_text,
    to: undefined,
  },
] as const
