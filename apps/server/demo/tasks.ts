import type { TaskAction } from '@atrium/contract/work/tasks'
import { addDays, at, dayOf, writeDates } from './dates.ts'
import { type DemoMember, generatedMembers } from './members.ts'
import { random } from './random.ts'
import { formWordsEnglish } from './task-words-english.ts'

export type DemoStep = {
  /** Empty if the person has no account. */
  username: string
  person: string
  kind: 'handle' | 'circulate'
  name: string
  /** The member who passed it on, if any. */
  sentBy?: string
  action: string
  comment: string
  createdAt: Date
  dueAt: Date | null
  doneAt: Date | null
}

const action = (code: string, text: string, textEn: string, more: Partial<TaskAction> = {}) => ({
  code,
  text,
  textEn,
  tone: 'plain' as const,
  comment: 'optional' as const,
  fields: [],
  ...more,
})
const approve = action('approve', '同意', 'Approve', { tone: 'primary' })
const sendBack = action('return', '退回', 'Send back', { tone: 'danger', comment: 'required' })
const confirm = action('confirm', '确认', 'Confirm', { tone: 'primary' })
const object = action('object', '有异议', 'Object', { comment: 'required' })
const check = action('check', '复核通过', 'Pass', { tone: 'primary' })
const resubmit = action('resubmit', '提交材料', 'Send documents', {
  tone: 'primary',
  fields: [
    {
      name: 'documents',
      label: '材料',
      labelEn: 'Documents',
      kind: 'files',
      required: true,
      choices: [],
    },
  ],
})
const sign = action('sign', '签署', 'Sign', { tone: 'primary', comment: 'none' })

/** Actions of a waiting step, by its name; others are done in the source system. */
export function actionsOf({ name, kind, doneAt }: DemoStep): TaskAction[] {
  if (kind !== 'handle' || doneAt) return []
  if (/审|签批|会签|安排/.test(name)) return [approve, sendBack]
  if (name.endsWith('确认')) return [confirm, object]
  if (name === '复核') return [check, object]
  if (/补充|修改/.test(name)) return [resubmit]
  return name === '签署' ? [sign] : []
}

export type DemoTask = {
  title: string
  source: string
  applicantUsername: string
  applicant: string
  status: 'progress' | 'finish' | 'break' | 'hang'
  draft: boolean
  urgent: boolean
  note: string
  form: { label: string; labelEn: string; value: string; valueEn: string }[]
  url: string
  createdAt: Date
  dueAt: Date | null
  steps: DemoStep[]
}

/** Days from today and a time: `-3 09:30`, `0 18:00`. */
type When = `${number} ${number}:${number}`
type Step = [
  who: string,
  name: string,
  created: When,
  done?: [when: When, action: string, comment?: string],
  more?: { due?: When; circulate?: true; sentBy?: string },
]
type Written = {
  title: string
  source: string
  by: string
  created: When
  due?: When
  status?: DemoTask['status']
  draft?: true
  urgent?: true
  note: string
  form: Record<string, string>
  url?: string
  steps: Step[]
}

/** Reviews scholarships. The records name people in English only if they have an account. */
const aidOfficer = generatedMembers.find(
  ({ organizationCode, identityCode }) => organizationCode === 'O05' && identityCode === 'E01',
) as DemoMember

/** `student` or `student:林知夏` refers to an account; other names are plain text. */
const people: Record<string, string> = {
  [aidOfficer.username]: aidOfficer.name,
  student: '林知夏',
  teacher: '周明远',
  staff: '陈思齐',
  admin: '赵启航',
}

const written: Written[] = [
  // To-dos of the student, as shown on home
  {
    title: '奖学金材料补充',
    source: '学生处',
    by: 'student',
    created: '-9 10:20',
    due: '0 18:00',
    urgent: true,
    note: '已退回，请补充成绩证明',
    url: 'https://xg.jianglan.example/scholarship',
    form: {
      申请项目: '校级一等奖学金',
      学年: '上一学年',
      平均学分绩点: '3.82 / 4.0',
      班级排名: '3 / 32',
      退回原因: '成绩证明缺少电子签章，请在“学业成绩单”中重新开具后上传',
    },
    steps: [
      ['student', '提交申请', '-9 10:20', ['-9 10:20', '提交']],
      ['韩慧', '学院初审', '-9 10:20', ['-7 15:40', '通过', '材料齐全，同意推荐。']],
      [aidOfficer.username, '学校审核', '-7 15:40', ['-2 10:15', '退回', '成绩证明缺少电子签章。']],
      ['student', '补充材料', '-2 10:15', undefined, { due: '0 18:00' }],
    ],
  },
  {
    title: '宿舍安全承诺书签署',
    source: '后勤处',
    by: '公寓管理中心',
    created: '-6 14:40',
    due: '5 23:59',
    note: '请逐条阅读后签署，约三分钟',
    url: 'https://dorm.jianglan.example/home',
    form: {
      宿舍: '兰苑5栋 412',
      学年: '本学年',
      已签署: '2 / 4 人',
      版本: '本年修订，较去年有三处修改',
    },
    steps: [
      ['公寓管理中心', '发起', '-6 14:40', ['-6 14:40', '发起']],
      ['student', '签署', '-6 14:40', undefined, { due: '5 23:59' }],
    ],
  },
  {
    title: '开题面谈记录确认',
    source: '研究生院',
    by: 'teacher',
    created: '-1 21:10',
    due: '6 18:00',
    note: '周明远老师已填写面谈记录，请核对并确认',
    url: 'https://thesis.jianglan.example/home',
    form: {
      题目方向: '带拒绝机制的图像分类',
      面谈时间: '{-5} 15:00—16:00',
      下一步: '阅读三篇文献，完成一页问题陈述',
    },
    steps: [
      ['teacher', '填写记录', '-1 21:10', ['-1 21:10', '提交', '思路清楚，先把问题缩小。']],
      ['student', '学生确认', '-1 21:10', undefined, { due: '6 18:00' }],
    ],
  },
  // Done by the student
  {
    title: '综合素质测评结果确认',
    source: '学生处',
    by: '计算机学院学生工作办公室',
    created: '-10 15:10',
    status: 'finish',
    note: '总分 88.6，班级第 4',
    form: { 学业成绩: '90.2', 实践与创新: '85.0', 文体与劳动: '86.5', 总分: '88.6' },
    steps: [
      ['韩慧', '发布', '-10 15:10', ['-10 15:10', '发布']],
      ['student', '确认', '-10 15:10', ['-9 20:04', '确认', '无异议。']],
    ],
  },
  {
    title: '实验室安全承诺书',
    source: '资产与实验室管理处',
    by: '信息楼 B203 管理员',
    created: '-31 09:00',
    status: 'finish',
    note: '安全考试 96 分，准入有效期一年',
    form: { 实验室: '信息楼 B203', 考试成绩: '96', 有效期: '一年' },
    steps: [
      ['信息楼 B203 管理员', '发起', '-31 09:00', ['-31 09:00', '发起']],
      ['student', '签署', '-31 09:00', ['-30 19:22', '签署']],
    ],
  },
  {
    title: '班级评议：国家励志奖学金',
    source: '学生处',
    by: '韩慧',
    created: '-21 16:00',
    status: 'finish',
    note: '你是评议小组成员，材料须保密',
    form: { 候选人数: '5', 推荐人数: '2', 评议方式: '匿名打分' },
    steps: [
      ['韩慧', '发起', '-21 16:00', ['-21 16:00', '发起']],
      ['student', '评议', '-21 16:00', ['-20 21:15', '完成评议']],
      ['韩慧', '汇总', '-20 21:15', ['-19 10:00', '通过']],
    ],
  },
  // Requested by the student
  {
    title: '事假申请（1 天）',
    source: '学生处',
    by: 'student',
    created: '-19 20:12',
    status: 'finish',
    note: '家中有事，次日晚返校',
    form: {
      类型: '事假',
      起止: '{-18} 08:00 至 {-17} 22:00',
      去向: '临汐市',
      紧急联系人: '林建华 139****4620',
    },
    steps: [
      ['student', '提交', '-19 20:12', ['-19 20:12', '提交']],
      ['韩慧', '辅导员审批', '-19 20:12', ['-18 07:30', '同意', '注意安全，返校销假。']],
      ['student', '销假', '-18 07:30', ['-17 19:02', '已返校']],
    ],
  },
  {
    title: '教室借用：算法协会周赛讲评',
    source: '教务处',
    by: 'student',
    created: '-2 13:25',
    note: '等待教务处审批',
    status: 'progress',
    form: { 教室: '教三 201', 时间: '{+8w} 14:00—17:00', 人数: '60', 用途: '周赛与讲评' },
    steps: [
      ['student', '提交', '-2 13:25', ['-2 13:25', '提交']],
      ['团委 孟亚宁', '活动审批', '-2 13:25', ['-1 09:40', '同意']],
      ['staff', '教室安排', '-1 09:40', undefined, { due: '2 17:00' }],
    ],
  },
  {
    title: '勤工助学岗位申请：图书馆助管',
    source: '学生处',
    by: 'student',
    created: '-33 11:00',
    status: 'break',
    note: '岗位已满，本次未录用',
    form: { 岗位: '东楼一层值守', 每周工时: '8 小时', 可到岗: '周二、周四晚' },
    steps: [
      ['student', '提交', '-33 11:00', ['-33 11:00', '提交']],
      [
        '图书馆 柳静宁',
        '面试',
        '-33 11:00',
        ['-29 16:00', '不通过', '时间与值守排班冲突，欢迎下学期再来。'],
      ],
    ],
  },
  {
    title: '大学生创新训练项目申报',
    source: '教务处',
    by: 'student',
    created: '-4 22:40',
    status: 'hang',
    note: '等待另一名成员确认',
    due: '15 16:00',
    form: {
      题目: '食堂排队时间的估计与公开',
      类别: '一般项目',
      成员: '林知夏、邓浩铭、何知言',
      指导教师: '周明远',
      申请经费: '6,000 元',
    },
    steps: [
      ['student', '提交', '-4 22:40', ['-4 22:40', '提交']],
      ['何知言', '成员确认', '-4 22:40'],
    ],
  },
  // Passed on to the student to read
  {
    title: '关于学期末机房开放安排的传阅',
    source: '计算机学院',
    by: '计算机学院实验中心',
    created: '-2 16:20',
    note: '信息楼 B203 延长开放至 22:30',
    status: 'finish',
    form: { 范围: '计科、软工、智能各班', 开放时间: '周二、周四至 22:30，周末预约' },
    steps: [
      ['计算机学院实验中心', '发布', '-2 16:20', ['-2 16:20', '发布']],
      ['student', '阅知', '-2 16:20', undefined, { circulate: true }],
    ],
  },
  {
    title: '课程助教工作须知',
    source: '教务处',
    by: 'teacher',
    created: '-28 10:00',
    note: '《数据结构》助教请阅读',
    status: 'finish',
    form: { 课程: '数据结构', 每周工时: '6 小时', 要求: '作业三天内批改，批语具体' },
    steps: [
      ['teacher', '发布', '-28 10:00', ['-28 10:00', '发布']],
      [
        'student',
        '阅知',
        '-28 10:00',
        ['-27 12:30', '已阅'],
        { circulate: true, sentBy: 'teacher' },
      ],
    ],
  },
  // The student's drafts
  {
    title: '调宿申请',
    source: '学生处',
    by: 'student',
    created: '-12 23:05',
    draft: true,
    note: '尚未提交',
    form: { 现宿舍: '兰苑5栋 412', 意向: '', 原因: '作息差异' },
    steps: [],
  },
  {
    title: '转专业意向登记',
    source: '教务处',
    by: 'student',
    created: '-40 21:30',
    draft: true,
    note: '尚未提交',
    form: { 意向专业: '人工智能', 理由: '' },
    steps: [],
  },

  // The teacher
  {
    title: '基金申请书形式审查修改',
    source: '科研院',
    by: 'teacher',
    created: '-12 17:00',
    due: '4 17:00',
    urgent: true,
    note: '三处需修改：单位、盖章页、摘要字数',
    url: 'https://ky.jianglan.example/projects',
    form: {
      项目名称: '可信影像筛查中的不确定性估计',
      类别: '面上项目',
      申请经费: '58 万元',
      修改意见: '经费说明第二条单位有误；合作单位缺盖章页；中文摘要超出 12 字',
    },
    steps: [
      ['teacher', '提交', '-12 17:00', ['-12 17:00', '提交']],
      ['科研院 白晓敏', '形式审查', '-12 17:00', ['0 07:55', '退回', '请于截止前修改。']],
      ['teacher', '修改', '0 07:55', undefined, { due: '4 17:00' }],
    ],
  },
  {
    title: '开题答辩分组确认',
    source: '研究生院',
    by: '计算机学院研究生教务',
    created: '-3 17:20',
    due: '3 12:00',
    note: '第二组组长，学生 6 名',
    form: {
      时间: '{+3w} 8:30',
      地点: '信息楼 A301',
      组员: '顾立衡、方立斌、杜若川（外学科组）',
      学生: '6 名',
    },
    steps: [
      ['计算机学院研究生教务', '分组', '-3 17:20', ['-3 17:20', '发起']],
      ['teacher', '确认', '-3 17:20', undefined, { due: '3 12:00' }],
    ],
  },
  {
    title: '学生请假会签：谭子豪 3 天',
    source: '学生处',
    by: '谭子豪',
    created: '-1 20:45',
    due: '1 12:00',
    note: '参加竞赛，缺《机器学习导论》一次',
    form: { 类型: '公假', 事由: '程序设计区域赛', 缺课: '《机器学习导论》1 次', 材料: '参赛通知' },
    steps: [
      ['谭子豪', '提交', '-1 20:45', ['-1 20:45', '提交']],
      ['韩慧', '辅导员审批', '-1 20:45', ['0 07:30', '同意']],
      ['teacher', '任课教师会签', '0 07:30', undefined, { due: '1 12:00' }],
    ],
  },
  {
    title: '大创项目指导教师确认',
    source: '教务处',
    by: 'student',
    created: '-4 22:41',
    due: '8 18:00',
    note: '题目：食堂排队时间的估计与公开',
    form: { 负责人: '林知夏', 成员: '邓浩铭、何知言', 经费: '6,000 元' },
    steps: [
      ['student', '提交', '-4 22:41', ['-4 22:41', '提交']],
      ['teacher', '指导教师确认', '-4 22:41', undefined, { due: '8 18:00' }],
    ],
  },
  {
    title: '《数据结构》调课申请',
    source: '教务处',
    by: 'teacher',
    created: '-3 08:40',
    status: 'finish',
    note: '已批准，教室改为教一 105',
    form: {
      课程: '数据结构',
      原安排: '周四第五、六节 教一 203',
      调整: '教一 105',
      原因: '投影检修',
    },
    steps: [
      ['teacher', '提交', '-3 08:40', ['-3 08:40', '提交']],
      ['计算机学院 教学秘书', '学院审核', '-3 08:40', ['-2 11:00', '同意']],
      ['staff', '教务处审批', '-2 11:00', ['-1 10:30', '同意', '已通知学生。']],
    ],
  },
  {
    title: '会议差旅报销',
    source: '财务处',
    by: 'teacher',
    created: '-8 16:00',
    status: 'finish',
    note: '2,846.00 元已到账',
    form: { 事由: '参加学术年会', 经费号: 'K-2403-118', 金额: '2,846.00 元' },
    steps: [
      ['teacher', '提交', '-8 16:00', ['-8 16:00', '提交']],
      ['财务处 何红燕', '复核', '-8 16:00', ['-2 10:00', '通过']],
      ['财务处', '支付', '-2 10:00', ['-1 15:02', '已支付']],
    ],
  },
  {
    title: '设备采购申请：图形工作站',
    source: '资产与实验室管理处',
    by: 'teacher',
    created: '-16 09:30',
    status: 'hang',
    note: '等待预算调整批复',
    form: { 设备: '图形工作站 1 台', 预算: '48,000 元', 经费号: 'K-2403-118' },
    steps: [
      ['teacher', '提交', '-16 09:30', ['-16 09:30', '提交']],
      ['资产处 邵军', '采购审核', '-16 09:30', ['-14 15:00', '挂起', '请先完成预算调整。']],
    ],
  },
  {
    title: '计科2401 奖学金推荐意见',
    source: '学生处',
    by: '韩慧',
    created: '-22 09:00',
    status: 'finish',
    note: '为 3 名学生填写推荐意见',
    form: { 学生: '林知夏、郝明辰、单若琪' },
    steps: [
      ['韩慧', '发起', '-22 09:00', ['-22 09:00', '发起']],
      ['teacher', '填写意见', '-22 09:00', ['-21 22:18', '完成', '林知夏同学踏实、会提问，推荐。']],
    ],
  },
  {
    title: '关于过程考核的若干说明（传阅）',
    source: '教务处',
    by: 'staff',
    created: '-1 16:00',
    status: 'finish',
    note: '新开核心课期末占比不超过 50%',
    form: { 文号: '教务〔本年〕41 号', 范围: '全体任课教师' },
    steps: [
      ['staff', '发布', '-1 16:00', ['-1 16:00', '发布']],
      ['teacher', '阅知', '-1 16:00', undefined, { circulate: true, sentBy: 'staff' }],
    ],
  },
  {
    title: '出国访问申请',
    source: '国际合作处',
    by: 'teacher',
    created: '-18 22:00',
    draft: true,
    note: '尚未提交',
    form: { 国家: '', 时间: '', 经费来源: 'K-2403-118' },
    steps: [],
  },

  // The registrar's officer
  {
    title: '用印申请：选课通知',
    source: '校长办公室',
    by: 'staff',
    created: '-1 15:00',
    status: 'progress',
    note: '等待校办审批',
    form: { 印章: '教务处章', 份数: '2', 文件: '关于做好下学期本科生选课工作的通知' },
    steps: [
      ['staff', '提交', '-1 15:00', ['-1 15:00', '提交']],
      ['校办 尹文波', '审批', '-1 15:00'],
    ],
  },
  {
    title: '缓考申请：苏日娜《生理学》',
    source: '教务处',
    by: '苏日娜',
    created: '-2 18:30',
    due: '1 17:00',
    note: '因病，附诊断证明',
    urgent: true,
    form: { 课程: '生理学', 原因: '急性阑尾炎术后', 材料: '诊断证明 1 份' },
    steps: [
      ['苏日娜', '提交', '-2 18:30', ['-2 18:30', '提交']],
      ['医学院 教学秘书', '学院审核', '-2 18:30', ['-1 09:00', '同意']],
      ['staff', '教务处审批', '-1 09:00', undefined, { due: '1 17:00' }],
    ],
  },
  {
    title: '课程容量调整：文学概论',
    source: '教务处',
    by: '人文学院 教学秘书',
    created: '-1 11:10',
    due: '0 17:30',
    note: '由 60 调至 90，教室已换',
    form: { 课程: '文学概论', 原容量: '60', 调整后: '90', 教室: '教二 阶梯教室' },
    steps: [
      ['人文学院 教学秘书', '提交', '-1 11:10', ['-1 11:10', '提交']],
      ['staff', '审批', '-1 11:10', undefined, { due: '0 17:30' }],
    ],
  },
  {
    title: '期末考场安排复核',
    source: '教务处',
    by: '考务科 单晓雪',
    created: '-4 10:00',
    due: '6 17:00',
    note: '412 间考场，9 间特殊考场',
    form: { 考场: '412', 特殊考场: '9', 巡考: '38 人' },
    steps: [
      ['考务科 单晓雪', '编排', '-4 10:00', ['-4 10:00', '提交']],
      ['staff', '复核', '-4 10:00', undefined, { due: '6 17:00' }],
    ],
  },
  {
    title: '转专业名单公示审批',
    source: '教务处',
    by: 'staff',
    created: '-24 09:00',
    status: 'finish',
    note: '公示无异议，共 146 人',
    form: { 人数: '146', 公示期: '五天' },
    steps: [
      ['staff', '提交', '-24 09:00', ['-24 09:00', '提交']],
      ['教务处 贺兰舟', '审批', '-24 09:00', ['-23 14:00', '同意']],
    ],
  },
  {
    title: '教师补课申请批量审批',
    source: '教务处',
    by: '计算机学院 教学秘书',
    created: '-13 08:00',
    status: 'finish',
    note: '共 6 条',
    form: { 条数: '6' },
    steps: [
      ['计算机学院 教学秘书', '提交', '-13 08:00', ['-13 08:00', '提交']],
      ['staff', '审批', '-13 08:00', ['-13 09:10', '同意']],
    ],
  },
  {
    title: '会议纪要传阅：处务会',
    source: '教务处',
    by: '教务处 办公室',
    created: '-5 11:00',
    status: 'finish',
    note: '三项工作，涉及考务与排课',
    form: { 会议: '处务会', 议题: '选课、考务、助教经费' },
    steps: [
      ['教务处 办公室', '发布', '-5 11:00', ['-5 11:00', '发布']],
      ['staff', '阅知', '-5 11:00', undefined, { circulate: true }],
    ],
  },
  {
    title: '差旅报销：教务信息化研讨班',
    source: '财务处',
    by: 'staff',
    created: '-1 17:50',
    draft: true,
    note: '尚未提交',
    form: { 事由: '全国教务信息化研讨班', 金额: '' },
    steps: [],
  },

  // The administrator
  {
    title: '变更审批：云盘存储扩容',
    source: '信息化中心',
    by: '存储组 付志平',
    created: '-3 14:00',
    due: '0 20:00',
    urgent: true,
    note: '今晚 23:00 至次日 6:00，含回退方案',
    form: { 变更单: 'C-1187', 影响: '云盘只读 7 小时', 回退点: '3:30' },
    steps: [
      ['存储组 付志平', '提交', '-3 14:00', ['-3 14:00', '提交']],
      ['网络部 龙卫东', '技术评审', '-3 14:00', ['-1 16:30', '同意']],
      ['admin', '开始确认', '-1 16:30', undefined, { due: '0 20:00' }],
    ],
  },
  {
    title: '数据共享申请：宿舍系统读取学籍',
    source: '信息化中心',
    by: 'staff',
    created: '-2 09:40',
    due: '3 17:00',
    note: '每日同步，最小字段',
    form: { 字段: '学号、姓名、学籍状态', 频率: '每日', 用途: '床位核对' },
    steps: [
      ['staff', '提交', '-2 09:40', ['-2 09:40', '提交']],
      ['admin', '审批', '-2 09:40', undefined, { due: '3 17:00' }],
    ],
  },
  {
    title: '域名申请：kiln.jianglan.example',
    source: '信息化中心',
    by: '艺术与设计学院 唐芷薇',
    created: '-5 15:00',
    due: '7 17:00',
    note: '展览网站，六个月',
    form: { 域名: 'kiln.jianglan.example', 期限: '六个月', 负责人: '侯德林' },
    steps: [
      ['艺术与设计学院 唐芷薇', '提交', '-5 15:00', ['-5 15:00', '提交']],
      ['admin', '审批', '-5 15:00', undefined, { due: '7 17:00' }],
    ],
  },
  {
    title: '服务器采购验收',
    source: '资产与实验室管理处',
    by: 'admin',
    created: '-20 10:00',
    status: 'finish',
    note: '8 台，全部通过',
    form: { 设备: '计算服务器 8 台', 结论: '通过' },
    steps: [
      ['admin', '提交', '-20 10:00', ['-20 10:00', '提交']],
      ['资产处 邵军', '验收', '-20 10:00', ['-15 16:00', '通过']],
    ],
  },
  {
    title: '账号恢复：校友 V260043',
    source: '信息化中心',
    by: '校友工作办公室',
    created: '-9 11:00',
    status: 'finish',
    note: '手机号已更换，身份已核验',
    form: { 账号: 'V260043', 核验: '视频与学籍档案' },
    steps: [
      ['校友工作办公室', '提交', '-9 11:00', ['-9 11:00', '提交']],
      ['admin', '处理', '-9 11:00', ['-9 15:20', '完成']],
    ],
  },
  {
    title: '等级保护测评整改单（传阅）',
    source: '信息化中心',
    by: '安全组',
    created: '-1 10:30',
    status: 'finish',
    note: '四项整改，两周内完成',
    form: { 整改项: '4', 期限: '{+13}' },
    steps: [
      ['安全组', '发布', '-1 10:30', ['-1 10:30', '发布']],
      ['admin', '阅知', '-1 10:30', undefined, { circulate: true }],
    ],
  },
  {
    title: '短信通道续费',
    source: '财务处',
    by: 'admin',
    created: '-7 09:00',
    status: 'break',
    note: '预算科目不符，请重新提交',
    form: { 金额: '36,000 元', 科目: '印刷费' },
    steps: [
      ['admin', '提交', '-7 09:00', ['-7 09:00', '提交']],
      ['财务处 何红燕', '审核', '-7 09:00', ['-6 10:00', '终止', '科目应为“邮电费”。']],
    ],
  },
  {
    title: '年度运维总结',
    source: '信息化中心',
    by: 'admin',
    created: '-3 18:00',
    draft: true,
    note: '尚未提交',
    form: { 可用率: '99.97%', 工单: '' },
    steps: [],
  },
]

export function tasksAt(now: Date): DemoTask[] {
  const today = dayOf(now)
  const when = (text: When) => {
    const [days, time] = text.split(' ') as [string, string]
    return at(addDays(today, Number(days)), time)
  }
  /** Completed steps must not be in the future, even just after midnight. */
  const past = (text: When) => new Date(Math.min(when(text).getTime(), now.getTime() - 5 * 60_000))
  const person = (name: string) => people[name] ?? name
  const account = (name: string) => (people[name] ? name : '')

  const named = written.map(
    (task): DemoTask => ({
      title: task.title,
      source: task.source,
      applicantUsername: account(task.by),
      applicant: person(task.by),
      status: task.status ?? 'progress',
      draft: task.draft ?? false,
      urgent: task.urgent ?? false,
      note: writeDates(task.note, today),
      form: Object.entries(task.form).map(([label, value]) => ({
        label,
        labelEn: formWordsEnglish[label] ?? '',
        value: writeDates(value, today),
        valueEn: writeDates(formWordsEnglish[value] ?? '', today),
      })),
      url: task.url ?? '',
      createdAt: past(task.created),
      dueAt: task.due ? when(task.due) : null,
      steps: task.steps.map(([who, name, created, done, more]) => ({
        username: account(who),
        person: person(who),
        kind: more?.circulate ? 'circulate' : 'handle',
        name,
        sentBy: more?.sentBy,
        action: done?.[1] ?? '',
        comment: done?.[2] ?? '',
        createdAt: past(created),
        dueAt: more?.due ? when(more.due) : null,
        doneAt: done ? past(done[0]) : null,
      })),
    }),
  )
  return [...named, ...ofOthers(now, today)]
}

/** One or two tasks for every fifth generated member. */
function ofOthers(now: Date, today: string): DemoTask[] {
  const chance = random('tasks')
  const some = generatedMembers.filter(
    ({ identityCode }, at) => at % 5 === 0 && identityCode !== 'G01',
  )
  return some
    .map((member): DemoTask => {
      const created = at(
        addDays(today, -chance.int(1, 12)),
        `${String(chance.int(8, 20)).padStart(2, '0')}:30`,
      )
      const due = at(addDays(today, chance.int(0, 10)), '18:00')
      const [title, source, note] = chance.pick(
        member.identityCode.startsWith('S') ? studentKinds : employeeKinds,
      )
      return {
        title,
        source,
        applicantUsername: '',
        applicant: source,
        status: 'progress',
        draft: false,
        urgent: chance.chance(0.1),
        note,
        form: formOf(member, note),
        url: '',
        createdAt: created,
        dueAt: due,
        steps: [
          {
            username: '',
            person: source,
            kind: 'handle',
            name: '发起',
            action: '发起',
            comment: '',
            createdAt: created,
            dueAt: null,
            doneAt: created,
          },
          {
            username: member.username,
            person: member.name,
            kind: 'handle',
            name: '办理',
            action: '',
            comment: '',
            createdAt: created,
            dueAt: due,
            doneAt: null,
          },
        ],
      }
    })
    .filter((task) => task.createdAt < now)
}

type Kind = readonly [title: string, source: string, note: string]
const studentKinds: Kind[] = [
  ['宿舍安全承诺书签署', '后勤处', '请逐条阅读后签署，约三分钟'],
  ['综合素质测评结果确认', '学生处', '请核对各项得分'],
  ['学籍信息核对', '教务处', '请核对姓名、证件号与专业'],
  ['实验室安全准入考试', '资产与实验室管理处', '九十分通过，可重考两次'],
]
const employeeKinds: Kind[] = [
  ['教学任务确认', '教务处', '请确认下学期任课信息'],
  ['年度考核个人总结', '人事处', '不超过一千字'],
  ['报销单退回修改', '财务处', '缺少一张发票'],
  ['学生请假会签', '学生处', '请在截止前会签'],
]
const formOf = ({ name, nameEn, number }: DemoMember, note: string): DemoTask['form'] =>
  [
    { label: '姓名', value: name, valueEn: nameEn },
    { label: '学（工）号', value: number, valueEn: '' },
    { label: '说明', value: note, valueEn: formWordsEnglish[note] ?? '' },
  ].map((entry) => ({ ...entry, labelEn: formWordsEnglish[entry.label] ?? '' }))
