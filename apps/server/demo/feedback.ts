import type { Db } from '../src/platform/database/db.ts'
import { usernameOf } from './fill-members.ts'
import { generatedMembers } from './members.ts'
import { type Ids, insert, numbered, type Row } from './rows.ts'
import { services } from './services.ts'

const kinds = [
  {
    name: '门户功能',
    nameEn: 'The portal',
    description: '页面打不开、显示不对、功能建议',
    descriptionEn: 'Pages that fail or look wrong, and ideas for the portal',
    by: 'O17',
    toService: false,
  },
  {
    name: '线上服务',
    nameEn: 'A service',
    description: '某项服务办不了、办得慢、说明不清楚，直接转给服务所在部门',
    descriptionEn:
      'A service that fails, is slow or unclear; goes to the department that offers it',
    by: 'O17',
    toService: true,
  },
  {
    name: '宿舍与校园',
    nameEn: 'Dormitories and campus',
    description: '水电、路灯、食堂、环境卫生',
    descriptionEn: 'Water and power, street lights, canteens, cleanliness',
    by: 'O12',
    toService: false,
  },
  {
    name: '教学与考试',
    nameEn: 'Teaching and exams',
    description: '教室设备、排课、成绩',
    descriptionEn: 'Classrooms, timetables, marks',
    by: 'O03',
    toService: false,
  },
  {
    name: '表扬与其他',
    nameEn: 'Praise and anything else',
    description: '想夸一夸，或者不知道该选哪一类',
    descriptionEn: 'A compliment, or none of the above',
    by: null,
    toService: false,
  },
]

type Item = {
  kind: number
  content: string
  answer?: string
  state?: 'waiting' | 'handling' | 'answered' | 'closed'
  score?: number
  place?: string
  service?: string
  published?: true
  /** index of the item it duplicates */
  same?: number
  daysAgo: number
}

const ofMembers: Item[] = [
  {
    kind: 2,
    content: '岚山校区三号楼热水晚上十点后就没有了，能不能延长到十一点？',
    answer: '已与供热班组协商，11 月起岚山校区宿舍热水供应延长至 23:00。',
    state: 'closed',
    score: 5,
    place: '岚山校区 3 号楼',
    published: true,
    daysAgo: 20,
  },
  { kind: 2, content: '洗澡水太早停了，晚自习回来洗不上。', same: 0, daysAgo: 19 },
  { kind: 2, content: '热水能不能晚一点停？', same: 0, daysAgo: 19 },
  { kind: 2, content: 'Hot water is gone by ten. Please extend the hours.', same: 0, daysAgo: 18 },
  {
    kind: 0,
    content: '课表页希望能直接看到下一节课的教室怎么走。',
    answer: '新版首页“今日”卡片已显示步行时间，点按即可打开校园地图。',
    state: 'answered',
    score: 4,
    published: true,
    daysAgo: 12,
  },
  { kind: 0, content: '建议课表里点教室就能看地图。', same: 4, daysAgo: 11 },
  {
    kind: 3,
    content: '理科楼 203 投影仪偏色，上课看不清板书照片。',
    answer: '已更换灯泡并校色，感谢反馈。若仍有问题请直接拨打教室内值班电话。',
    state: 'closed',
    score: 5,
    place: '理科楼 203',
    published: true,
    daysAgo: 9,
  },
  {
    kind: 2,
    content: '图书馆北门到东区的路灯坏了三盏，晚上很黑。',
    state: 'handling',
    place: '图书馆北门',
    daysAgo: 2,
  },
  {
    kind: 4,
    content: '表扬校医院急诊的值班医生，半夜陪我转诊，非常感谢。',
    answer: '已转达校医院，并登记在本月服务之星候选名单中。谢谢你特意告诉我们。',
    state: 'answered',
    published: true,
    daysAgo: 6,
  },
  {
    kind: 1,
    content: '成绩单下载后公章是灰色的，能用吗？',
    answer: '电子章在部分阅读器中显示为灰色，验证码有效即可使用。打印时请选“彩色”。',
    state: 'answered',
    service: '学业成绩单',
    published: true,
    daysAgo: 4,
  },
  { kind: 0, content: 'Please add an English version of the fee page.', daysAgo: 1 },
  { kind: 3, content: '期中成绩什么时候可以查？', daysAgo: 1 },
]

/** The student's own items, from waiting to closed. */
const ofStudent: Item[] = [
  {
    kind: 1,
    content: '一卡通充值后余额要等十几分钟才更新，食堂排队时很着急。',
    service: '一卡通',
    daysAgo: 0,
  },
  {
    kind: 2,
    content: '兰苑 5 栋一楼洗衣机有两台一直显示故障。',
    state: 'handling',
    place: '兰苑 5 栋一楼',
    daysAgo: 3,
  },
  {
    kind: 3,
    content: '信息楼 402 后排插座没有电，上机课电脑撑不到下课。',
    answer: '后排插座已修复通电。该教室下周加装移动插排，上机课可向管理员领取。',
    state: 'answered',
    place: '信息楼 402',
    daysAgo: 7,
  },
  {
    kind: 0,
    content: '希望消息可以按部门筛选。',
    answer: '消息页右上角“筛选”已支持按应用和部门查看，请更新后试用。',
    state: 'closed',
    score: 5,
    daysAgo: 30,
  },
]

/** Members' feedback, departments' answers, and the published items. */
export async function fillFeedback(db: Db, today: Date, accountIds: Ids, organizationIds: Ids) {
  await insert(
    db,
    'feedback_kind',
    numbered(kinds, (kind, position) => ({
      name: kind.name,
      name_en: kind.nameEn,
      description: kind.description,
      description_en: kind.descriptionEn,
      organization_id: kind.by && organizationIds.get(kind.by),
      to_service: kind.toService,
      position,
    })),
  )
  const rows: Row[] = []
  const lines: Row[] = []
  const add = (item: Item, at: number, accountId: string | undefined, first: number) => {
    const { kind, same, answer, state, published, service } = item
    const from = same === undefined ? item : { ...ofMembers[same], kind }
    const id = rows.length + 1
    const created = new Date(today.getTime() - item.daysAgo * 86_400_000 - (at * 37 + 20) * 60_000)
    const said = answer ?? from.answer ?? ''
    const answered = new Date(
      Math.min(today.getTime() - 3_600_000, created.getTime() + 30 * 3_600_000),
    )
    const serviceAt = services.findIndex(({ name }) => name === service)
    const offered = serviceAt >= 0 ? services[serviceAt]?.departmentCode : undefined
    const by = (kinds[kind]?.toService && offered) || kinds[kind]?.by
    rows.push({
      id,
      account_id: accountId,
      key: `demo-${id}`,
      kind_id: kind + 1,
      service_id: serviceAt >= 0 ? serviceAt + 1 : null,
      organization_id: by ? organizationIds.get(by) : null,
      content: item.content,
      place: item.place ?? '',
      contact: '',
      state: state ?? from.state ?? 'waiting',
      may_publish: published === true || same !== undefined,
      published_at: published ? answered : null,
      answer: said,
      answered_at: said ? answered : null,
      score: item.score ?? null,
      scored_at: item.score ? answered : null,
      score_comment: '',
      merged_into_id: same === undefined ? null : first + same,
      created_at: created,
    })
    if (said)
      lines.push({
        id: lines.length + 1,
        feedback_id: id,
        author: 'department',
        account_id: accountIds.get('admin'),
        text: said,
        created_at: answered,
      })
  }
  ofMembers.forEach((item, at) => {
    const author = generatedMembers[at * 41 + 5]
    add(item, at, author && accountIds.get(usernameOf(author)), 1)
  })
  ofStudent.forEach((item, at) => {
    add(item, at, accountIds.get('student'), 0)
  })
  await insert(db, 'feedback', rows)
  await insert(db, 'feedback_line', lines)
}
