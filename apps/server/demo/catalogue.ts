/** Special properties of some services; all others are only in services.ts. */
export type DemoTrait = {
  marks?: ('new' | 'hot' | 'official' | 'trial')[]
  forced?: true
  opening?: 'browser' | 'viewer' | 'miniProgram'
  miniProgram?: Record<string, string>
  tokenAccept?: { tokenType: string; tokenKey: string }[]
  source?: string
  techType?: string
}

export const traits: Record<string, DemoTrait> = {
  信息化服务台: { forced: true, marks: ['official'], source: '信息中心', techType: 'H5' },
  校园地图: { marks: ['official'] },
  一卡通: { marks: ['hot', 'official'] },
  翻译助手: { marks: ['trial'], source: '信息中心', techType: 'H5' },
  我的借阅: {
    tokenAccept: [{ tokenType: 'url', tokenKey: 'token' }],
    source: '图书馆',
    techType: 'H5',
  },
  正版软件: { opening: 'browser' },
  视频会议: { opening: 'viewer' },
  校园超市: {
    opening: 'miniProgram',
    miniProgram: {
      appId: 'wx0000000000000000',
      path: 'pages/index/index',
      title: '校园超市',
      engineType: 'wechat',
      shareUrl: 'https://shop.jianglan.example/',
    },
  },
}

/** Search synonyms. */
export const synonyms: string[][] = [
  ['wifi', '无线网', '校园网', '上网'],
  ['校车', '班车', '巴士', 'bus'],
  ['一卡通', '校园卡', '饭卡'],
  ['课表', '课程表', '上课时间'],
  ['工资', '薪水', '薪酬'],
]

/** Pages inside services that search finds separately; `{keyWords}` is replaced by the query. */
export const servicePages: {
  service: string
  name: string
  nameEn: string
  words: string[]
  url: string
  fieldName?: string
  fieldNameEn?: string
}[] = [
  {
    service: '馆藏查询',
    name: '图书检索',
    nameEn: 'Find a book',
    words: ['找书', '查书', '书目检索', 'library search'],
    url: 'https://lib.jianglan.example/catalogue/search?q={keyWords}',
    fieldName: '书名或作者',
    fieldNameEn: 'Title or author',
  },
  {
    service: '我的借阅',
    name: '续借图书',
    nameEn: 'Renew a loan',
    words: ['续借', 'renew'],
    url: 'https://lib.jianglan.example/loans/renew',
  },
  {
    service: '一卡通',
    name: '校园卡挂失',
    nameEn: 'Report a lost card',
    words: ['丢卡', '挂失', '补卡', 'lost card'],
    url: 'https://card.jianglan.example/home/lost',
  },
  {
    service: '一卡通',
    name: '校园卡充值',
    nameEn: 'Top up the card',
    words: ['充值', 'top up'],
    url: 'https://card.jianglan.example/home/top-up',
  },
]

export type DemoGuide = {
  intro: [string, string]
  appliesTo: [string, string]
  place: [string, string]
  hours?: [string, string]
  contact?: [string, string]
  steps: { title: [string, string]; content?: [string, string] }[]
  materials: { name: [string, string]; note?: [string, string]; optional?: true; copies?: number }[]
  attachments?: { name: [string, string]; lines: string[] }[]
}

export const guides: Record<string, DemoGuide> = {
  学生证补办: {
    intro: [
      '学生证遗失或损坏后申请补发。补发后原证作废，火车票优惠卡一并重写。',
      'Replace a lost or damaged student card. The old card becomes void; the railway discount chip is rewritten too.',
    ],
    appliesTo: ['全日制在校本科生、研究生', 'Full-time undergraduates and postgraduates'],
    place: ['学生事务大厅 3 号窗口', 'Student Affairs Hall, counter 3'],
    hours: ['工作日 8:00—17:30', 'Working days 8:00–17:30'],
    contact: ['电话 8305', 'Telephone 8305'],
    steps: [
      {
        title: ['在线提交申请', 'Apply online'],
        content: [
          '填写遗失或损坏的情况，上传证件照。',
          'Say how it was lost or damaged and upload a photo.',
        ],
      },
      {
        title: ['学院审核', 'Your school checks it'],
        content: ['一般在两个工作日内完成。', 'Usually within two working days.'],
      },
      {
        title: ['窗口领取', 'Collect it at the counter'],
        content: ['凭校园卡或身份证领取新证。', 'Bring your campus card or identity card.'],
      },
    ],
    materials: [
      {
        name: ['补办申请表', 'Application form'],
        note: ['本人签字，学院盖章', 'Signed by you, stamped by your school'],
        copies: 1,
      },
      { name: ['一寸证件照', 'Photo, one inch'], copies: 2 },
      {
        name: ['损坏的原证', 'The damaged card'],
        note: ['遗失的不需要', 'Not if it was lost'],
        optional: true,
      },
    ],
    attachments: [
      {
        name: ['学生证补办申请表.pdf', 'Application form.pdf'],
        lines: ['Replacement of a student card', 'Name:', 'Student number:', 'Reason:'],
      },
    ],
  },
  学业成绩单: {
    intro: [
      '打印中英文成绩单，可自助打印或邮寄。',
      'Transcripts in Chinese and English, printed or sent by post.',
    ],
    appliesTo: ['在校学生与毕业生', 'Students and graduates'],
    place: ['教一 105 或自助打印点', 'Teaching Building 1, room 105, or a self-service printer'],
    steps: [
      { title: ['选择语言与份数', 'Choose language and copies'] },
      { title: ['在线缴费', 'Pay online'], content: ['每份 5 元。', '5 yuan a copy.'] },
      { title: ['打印或邮寄', 'Print or receive it by post'] },
    ],
    materials: [{ name: ['校园卡', 'Campus card'], copies: 0 }],
  },
  用印申请: {
    intro: ['学校公章、法人章的使用申请。', 'Applying for the use of the university’s seals.'],
    appliesTo: ['各单位经办人', 'Staff who handle it for their unit'],
    place: ['行政楼 301', 'Administration Building, room 301'],
    steps: [
      { title: ['填写用印事由并上传文件', 'Say what for and upload the document'] },
      { title: ['部门负责人审批', 'The head of your department approves'] },
      { title: ['到窗口用印', 'Have it sealed at the counter'] },
    ],
    materials: [
      {
        name: ['待用印文件', 'The document'],
        note: ['与上传的一致', 'The same as uploaded'],
        copies: 1,
      },
    ],
  },
}

/** Lines of text as a minimal PDF page. */
export function plainPdf(lines: readonly string[]): Uint8Array {
  const escaped = (text: string) => text.replaceAll(/[\\()]/g, '\\$&')
  const shown = lines.map((line, at) => `${at ? '0 -28 Td ' : ''}(${escaped(line)}) Tj`).join('\n')
  const stream = `BT /F1 16 Tf 72 760 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((body, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${body}\nendobj\n`
    return place
  })
  const table = text.length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return new TextEncoder().encode(text)
}
