import type { ApplicationFormFields } from '@atrium/contract/work/applications.operator'

const blank = { description: '', descriptionEn: '' }
const everybody = [{ effect: 'include' as const, kind: 'everybody' as const, target: '' }]
const rule = { above: 0, inOrganization: false }
const step = { decide: 'any' as const, when: [], hours: null, escalateTo: [] }

/** Heads of the named members' organisations. */
export const heads: Record<string, string[]> = {
  JLU: ['admin'],
  CS: ['teacher'],
  O03: ['staff'],
  O17: ['admin'],
}

/** Application forms: leave, a room, expenses. */
export const forms: Record<string, ApplicationFormFields> = {
  leave: {
    name: '请假',
    nameEn: 'Leave',
    summary: '病假、事假、公假；三天以上由教务处备案',
    summaryEn: 'Sick, personal and official leave; over three days the Registrar’s Office is told',
    icon: { glyph: 'calendar', tone: 'blue' },
    organization: 'O05',
    audience: everybody,
    position: 10,
    open: true,
    title: '请假：{kind} {days} 天（{from} 起）',
    schema: {
      type: 'object',
      properties: {
        kind: {
          ...blank,
          type: 'string',
          title: '假别',
          titleEn: 'Kind',
          oneOf: [
            { const: 'sick', title: '病假', titleEn: 'Sick leave' },
            { const: 'personal', title: '事假', titleEn: 'Personal leave' },
            { const: 'official', title: '公假', titleEn: 'Official leave' },
          ],
        },
        from: { ...blank, type: 'string', format: 'date', title: '开始日期', titleEn: 'From' },
        until: { ...blank, type: 'string', format: 'date', title: '结束日期', titleEn: 'Until' },
        days: {
          ...blank,
          type: 'number',
          title: '天数',
          titleEn: 'Days',
          description: '半天填 0.5',
          descriptionEn: 'Half a day is 0.5',
          minimum: 0.5,
          maximum: 60,
        },
        reason: {
          ...blank,
          type: 'string',
          format: 'textarea',
          title: '事由',
          titleEn: 'Reason',
          maxLength: 500,
        },
        substitute: {
          ...blank,
          type: 'string',
          format: 'person',
          title: '代课或代班人',
          titleEn: 'Substitute',
        },
        proof: {
          ...blank,
          type: 'array',
          title: '证明材料',
          titleEn: 'Evidence',
          description: '病假请附病历或诊断书',
          descriptionEn: 'For sick leave, a medical record',
          maxItems: 5,
          items: { type: 'string', format: 'file' },
        },
      },
      required: ['kind', 'from', 'until', 'days', 'reason'],
    },
    steps: [
      {
        ...step,
        code: 'head',
        name: '院系审批',
        nameEn: 'Department',
        approvers: [{ ...rule, kind: 'head', target: '' }],
        hours: 48,
        escalateTo: [{ ...rule, kind: 'head', target: '', above: 1 }],
      },
      {
        ...step,
        code: 'registrar',
        name: '教务处备案',
        nameEn: 'Registrar’s Office',
        approvers: [{ ...rule, kind: 'account', target: 'staff' }],
        when: [{ field: 'days', is: '>', value: 3 }],
      },
    ],
    managers: ['admin'],
  },
  room: {
    name: '场地借用',
    nameEn: 'Room booking',
    summary: '报告厅、会议室和教室',
    summaryEn: 'Halls, meeting rooms and classrooms',
    icon: { glyph: 'place', tone: 'teal' },
    organization: 'O12',
    audience: everybody,
    position: 20,
    open: true,
    title: '场地借用：{room} {day}',
    schema: {
      type: 'object',
      properties: {
        room: {
          ...blank,
          type: 'string',
          title: '场地',
          titleEn: 'Room',
          oneOf: [
            { const: 'hall', title: '学术报告厅', titleEn: 'Lecture hall' },
            { const: 'meeting', title: '行政楼会议室', titleEn: 'Meeting room' },
            { const: 'classroom', title: '理科楼教室', titleEn: 'Classroom' },
          ],
        },
        day: { ...blank, type: 'string', format: 'date', title: '日期', titleEn: 'Day' },
        time: { ...blank, type: 'string', title: '时段', titleEn: 'Time', maxLength: 40 },
        people: {
          ...blank,
          type: 'integer',
          title: '人数',
          titleEn: 'People',
          minimum: 1,
          maximum: 800,
        },
        purpose: {
          ...blank,
          type: 'string',
          format: 'textarea',
          title: '用途',
          titleEn: 'Purpose',
          maxLength: 300,
        },
      },
      required: ['room', 'day', 'time', 'people', 'purpose'],
    },
    steps: [
      {
        ...step,
        code: 'head',
        name: '本单位审核',
        nameEn: 'Own department',
        approvers: [{ ...rule, kind: 'head', target: '' }],
        when: [{ field: 'room', is: '=', value: 'hall' }],
      },
      {
        ...step,
        code: 'rooms',
        name: '场地确认',
        nameEn: 'Room office',
        approvers: [{ ...rule, kind: 'account', target: 'staff' }],
        hours: 24,
      },
    ],
    managers: ['admin'],
  },
  expenses: {
    name: '费用报销',
    nameEn: 'Expenses',
    summary: '差旅、办公和会议费用；五千元以上加校领导审批',
    summaryEn: 'Travel, office and conference costs; above 5,000 yuan with a second approval',
    icon: { glyph: 'wallet', tone: 'orange' },
    organization: 'O10',
    audience: [
      { effect: 'include', kind: 'identity', target: 'T01' },
      { effect: 'include', kind: 'identity', target: 'E01' },
    ],
    position: 30,
    open: true,
    title: '费用报销：{subject}',
    schema: {
      type: 'object',
      properties: {
        subject: { ...blank, type: 'string', title: '事由', titleEn: 'Subject', maxLength: 60 },
        items: {
          ...blank,
          type: 'array',
          title: '明细',
          titleEn: 'Items',
          maxItems: 20,
          items: {
            type: 'object',
            properties: {
              day: { ...blank, type: 'string', format: 'date', title: '日期', titleEn: 'Day' },
              what: { ...blank, type: 'string', title: '项目', titleEn: 'Item', maxLength: 60 },
              amount: {
                ...blank,
                type: 'number',
                title: '金额（元）',
                titleEn: 'Amount (yuan)',
                minimum: 0.01,
                maximum: 1_000_000,
              },
            },
            required: ['what', 'amount'],
          },
        },
        receipts: {
          ...blank,
          type: 'array',
          title: '票据',
          titleEn: 'Receipts',
          maxItems: 9,
          items: { type: 'string', format: 'file' },
        },
      },
      required: ['subject', 'items'],
    },
    steps: [
      {
        ...step,
        code: 'head',
        name: '部门负责人',
        nameEn: 'Head of department',
        approvers: [{ ...rule, kind: 'head', target: '' }],
      },
      {
        ...step,
        code: 'leader',
        name: '分管领导',
        nameEn: 'Vice president',
        approvers: [{ ...rule, kind: 'head', target: '', above: 1 }],
        when: [{ field: 'items.amount', is: '>', value: 5000 }],
      },
      {
        ...step,
        code: 'finance',
        name: '财务处审核',
        nameEn: 'Finance Office',
        approvers: [{ ...rule, kind: 'account', target: 'admin' }],
      },
    ],
    managers: ['admin'],
  },
}
