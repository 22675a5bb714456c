import type { Db } from '../src/platform/database/db.ts'
import { addDays, at, dayOf } from './dates.ts'
import { type audiences, type Ids, insert, numbered } from './rows.ts'

type DemoQuestion = {
  question: string
  questionEn: string
  answer: string
  answerEn: string
  wordings: string[]
  url?: string
  organization: string
  /** identity type; default: every signed-in member */
  only?: string
  /** how often it was asked recently */
  asked: number
}

const questions: DemoQuestion[] = [
  {
    question: '忘记密码了怎么办？',
    questionEn: 'What if I forget my password?',
    answer:
      '在登录页点“忘记密码”，用绑定的手机号或邮箱收取验证码后设置新密码。\n没有绑定手机号和邮箱的，请带身份证到信息中心一楼服务台办理。',
    answerEn:
      'Choose “Forgot password” on the sign-in page and set a new one with a code sent to your mobile number or email.\nIf neither is on file, bring your ID card to the service desk on the ground floor of the information centre.',
    wordings: ['密码忘了', '找回密码', 'reset my password', 'lost password'],
    organization: 'O17',
    asked: 96,
  },
  {
    question: '校外怎么访问图书馆的数据库？',
    questionEn: 'How do I use the library’s databases off campus?',
    answer:
      '先连接学校 VPN，再从图书馆网站进入数据库。\n部分数据库支持 CARSI，可以直接选择“江岚大学”登录，不需要 VPN。',
    answerEn:
      'Connect to the campus VPN first, then open the database from the library’s website.\nSome databases accept CARSI: choose “Jianglan University” and sign in without the VPN.',
    wordings: ['校外访问知网', '在家下载论文', 'off-campus access'],
    organization: 'O18',
    asked: 71,
  },
  {
    question: '校园网每个人能连几台设备？',
    questionEn: 'How many devices may I connect to the campus network?',
    answer:
      '每个账号最多同时在线 5 台设备。\n超出时最早上线的设备会下线。可以在“校园网自助”里查看和下线设备。',
    answerEn:
      'Five devices can be online with one account.\nWhen a sixth connects, the one that has been online longest is disconnected. You can see and disconnect devices in the network self-service.',
    wordings: ['校园网设备数', 'wifi 能连几个', 'wifi device limit'],
    organization: 'O17',
    asked: 58,
  },
  {
    question: '缓考怎么申请？',
    questionEn: 'How do I apply to defer an exam?',
    answer:
      '在考试开始前两个工作日提交缓考申请，并附上证明材料。\n学院审核、教务处备案后生效，缓考安排在下学期开学第二周。',
    answerEn:
      'Apply two working days before the exam at the latest and attach your evidence.\nIt takes effect once your school has approved it and the academic office has recorded it. Deferred exams are held in the second week of the next term.',
    wordings: ['申请缓考', '考试那天有事', 'defer an exam'],
    organization: 'O03',
    only: 'S01',
    asked: 44,
  },
  {
    question: '医药费在哪里报销？',
    questionEn: 'Where are medical costs reimbursed?',
    answer:
      '校医院一楼医保窗口受理，工作日上午 8:30 至 11:30。\n请带发票原件、病历和身份证；外地就医还需要转诊单。',
    answerEn:
      'At the insurance window on the ground floor of the campus hospital, on working days from 8:30 to 11:30.\nBring the original invoice, your medical record and your ID card; for treatment elsewhere also the referral.',
    wordings: ['医疗报销', '看病报销', 'medical reimbursement'],
    organization: 'O20',
    asked: 37,
  },
  {
    question: '宿舍东西坏了找谁修？',
    questionEn: 'Who repairs things in the dormitory?',
    answer:
      '在“报修”服务里填写位置和问题，后勤处一般在 24 小时内上门。\n漏水、断电等急修请直接打值班电话。',
    answerEn:
      'Report it in the repair service with the place and the problem; somebody usually comes within 24 hours.\nFor leaks and power cuts call the number on duty.',
    wordings: ['宿舍报修', '灯坏了', 'dormitory repair'],
    organization: 'O12',
    asked: 33,
  },
  {
    question: '课酬什么时候发放？',
    questionEn: 'When are teaching allowances paid?',
    answer: '每学期结束后一个月内，由财务处随工资发放。\n明细在“工资查询”里查看。',
    answerEn:
      'Within a month of the end of each term, together with the salary.\nThe details are in the salary service.',
    wordings: ['讲课费', 'teaching allowance'],
    organization: 'O10',
    only: 'T01',
    asked: 12,
  },
]

export async function fillKnowledge(
  db: Db,
  today: Date,
  organizationIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const reviewed = at(addDays(dayOf(today), -20), '10:00')
  const rows = []
  for (const { only, organization, asked: _asked, url = '', ...question } of questions)
    rows.push({
      question: question.question,
      question_en: question.questionEn,
      answer: question.answer,
      answer_en: question.answerEn,
      wordings: question.wordings,
      url,
      organization_id: organizationIds.get(organization) ?? null,
      audience_id: await audienceOf([
        only
          ? { effect: 'include', kind: 'identity', target: only }
          : { effect: 'include', kind: 'everybody' },
      ]),
      reviewed_at: reviewed,
      updated_at: reviewed,
    })
  await insert(
    db,
    'knowledge_question',
    numbered(rows, (row) => row),
  )
  await insert(
    db,
    'knowledge_use',
    questions.map(({ asked }, index) => ({
      question_id: index + 1,
      day: addDays(dayOf(today), -3),
      asked,
      helpful: Math.round(asked / 4),
      unhelpful: Math.round(asked / 20),
    })),
  )
}

/** Help desks for questions that the robot cannot answer. */
export async function fillDesks(
  db: Db,
  accountIds: Ids,
  organizationIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const everybody = await audienceOf([{ effect: 'include', kind: 'everybody' }])
  await insert(db, 'desk', [
    {
      id: 1,
      name: '信息化服务台',
      name_en: 'IT service desk',
      organization_id: organizationIds.get('O17'),
      audience_id: everybody,
      hours: '',
    },
    {
      id: 2,
      name: '学生事务大厅',
      name_en: 'Student services',
      organization_id: organizationIds.get('O05'),
      audience_id: everybody,
      hours: 'Mo-Fr 08:30-17:00',
    },
  ])
  await insert(db, 'desk_agent', [
    { desk_id: 1, account_id: accountIds.get('staff') },
    { desk_id: 1, account_id: accountIds.get('admin') },
    { desk_id: 2, account_id: accountIds.get('staff') },
  ])
  await insert(db, 'desk_phrase', [
    {
      id: 1,
      desk_id: 1,
      title: '远程协助',
      text: '请保持电脑开机并连接校园网，我们会在半小时内远程处理。',
    },
    {
      id: 2,
      desk_id: 1,
      title: '到现场办理',
      text: '请带校园卡到信息化中心一楼服务台办理，工作日 8:30 至 17:00。',
    },
  ])
}

/** The student's dialogs: one answered by the robot, and one waiting at a desk. */
export async function fillDialogs(db: Db, today: Date, accountIds: Ids) {
  const asked = at(addDays(dayOf(today), -1), '15:20')
  const account_id = accountIds.get('student')
  const dialog = { account_id, started_at: asked, last_at: asked, seen_at: asked }
  await insert(db, 'dialog', [
    { id: 1, title: '校园网能连几台设备', state: 'robot', ...dialog },
    { id: 2, title: '实验室的电脑连不上打印机', state: 'waiting', ...dialog },
  ])
  const source = {
    kind: 'question',
    id: '3',
    title: '校园网每个人能连几台设备？',
    titleEn: 'How many devices may I connect to the campus network?',
    to: '/pages/robot/question?id=3',
    serviceId: null,
  }
  const part = { text: '每个账号最多同时在线 5 台设备。', source: 0 }
  const unknown = {
    text: '这个问题我还不知道答案。可以换个说法再问，或者转人工服务。',
    source: null,
  }
  const lines = [
    [1, 'member', '校园网能连几台设备', null],
    [1, 'robot', part.text, { parts: [part], sources: [source], outcome: 'answered' }],
    [2, 'member', '实验室的电脑连不上打印机', null],
    [2, 'robot', unknown.text, { parts: [unknown], outcome: 'unknown' }],
    [2, 'note', '已转给信息化服务台，之前的对话一并转交。回复会以消息通知，不必在此等候。', null],
  ] as const
  await insert(
    db,
    'dialog_line',
    numbered(lines, ([dialog_id, author, text, answer]) => ({
      dialog_id,
      author,
      text,
      text_en:
        author === 'note'
          ? 'Handed over to IT service desk with everything said so far. The answer also comes as a message, so there is no need to wait here.'
          : '',
      answer,
      comment: '',
      created_at: asked,
    })),
  )
  await insert(db, 'desk_case', [
    { dialog_id: 2, desk_id: 1, state: 'waiting', requested_at: asked, member_at: asked },
  ])
}
