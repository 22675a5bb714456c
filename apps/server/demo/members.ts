import { nameSource } from './names.ts'
import { instituteCodes, officeCodes, organizations, schools } from './organizations.ts'
import { random } from './random.ts'

/** Password of the named accounts. The generated members have none. */
export const demoPassword = 'Atrium-demo-2026'

export type DemoIdentityType = {
  code: string
  name: string
  nameEn: string
  label: 'admin' | 'guest' | 'student' | 'teacher' | null
}

export const identityTypes: DemoIdentityType[] = [
  { code: 'S01', name: '本科生', nameEn: 'Undergraduate', label: 'student' },
  { code: 'S02', name: '研究生', nameEn: 'Postgraduate', label: 'student' },
  { code: 'T01', name: '教师', nameEn: 'Teacher', label: 'teacher' },
  { code: 'T02', name: '辅导员', nameEn: 'Counsellor', label: 'teacher' },
  { code: 'E01', name: '职工', nameEn: 'Staff', label: null },
  { code: 'G01', name: '校友与访客', nameEn: 'Alumni and visitors', label: 'guest' },
]

export type DemoMember = {
  username: string
  /** Student or staff number. */
  number: string
  name: string
  nameEn: string
  gender: 'female' | 'male'
  identityCode: string
  organizationCode: string
  mobile: string
  email: string
  groupCodes: string[]
}

export type DemoGroup = {
  code: string
  name: string
  nameEn: string
  kind: 'class' | 'dormitory' | 'club' | 'party' | 'project'
}

export type DemoMajor = {
  code: string
  name: string
  nameEn: string
  /** Prefix of class names: 计科2401. */
  short: string
  shortEn: string
  schoolCode: string
  /** Classes per intake. */
  classes: number
}

const majors: DemoMajor[] = [
  {
    code: 'AI',
    name: '人工智能',
    nameEn: 'Artificial Intelligence',
    short: '智能',
    shortEn: 'AI',
    schoolCode: 'CS',
    classes: 1,
  },
  {
    code: 'CT',
    name: '计算机科学与技术',
    nameEn: 'Computer Science and Technology',
    short: '计科',
    shortEn: 'CS',
    schoolCode: 'CS',
    classes: 2,
  },
  {
    code: 'SE',
    name: '软件工程',
    nameEn: 'Software Engineering',
    short: '软工',
    shortEn: 'SE',
    schoolCode: 'CS',
    classes: 1,
  },
  {
    code: 'CO',
    name: '通信工程',
    nameEn: 'Communication Engineering',
    short: '通信',
    shortEn: 'CE',
    schoolCode: 'EE',
    classes: 1,
  },
  {
    code: 'MI',
    name: '微电子科学与工程',
    nameEn: 'Microelectronics',
    short: '微电',
    shortEn: 'ME',
    schoolCode: 'EE',
    classes: 1,
  },
  {
    code: 'MC',
    name: '机械工程',
    nameEn: 'Mechanical Engineering',
    short: '机械',
    shortEn: 'Mech',
    schoolCode: 'ME',
    classes: 1,
  },
  {
    code: 'RO',
    name: '机器人工程',
    nameEn: 'Robotics',
    short: '机器人',
    shortEn: 'Robotics',
    schoolCode: 'ME',
    classes: 1,
  },
  {
    code: 'CV',
    name: '土木工程',
    nameEn: 'Civil Engineering',
    short: '土木',
    shortEn: 'Civil',
    schoolCode: 'CE',
    classes: 1,
  },
  {
    code: 'MT',
    name: '数学与应用数学',
    nameEn: 'Mathematics',
    short: '数学',
    shortEn: 'Maths',
    schoolCode: 'MA',
    classes: 1,
  },
  {
    code: 'PY',
    name: '物理学',
    nameEn: 'Physics',
    short: '物理',
    shortEn: 'Physics',
    schoolCode: 'PH',
    classes: 1,
  },
  {
    code: 'MA',
    name: '材料科学与工程',
    nameEn: 'Materials Science',
    short: '材料',
    shortEn: 'Materials',
    schoolCode: 'CH',
    classes: 1,
  },
  {
    code: 'BI',
    name: '生物科学',
    nameEn: 'Biology',
    short: '生科',
    shortEn: 'Bio',
    schoolCode: 'LS',
    classes: 1,
  },
  {
    code: 'CM',
    name: '临床医学',
    nameEn: 'Clinical Medicine',
    short: '临床',
    shortEn: 'Clinical',
    schoolCode: 'MD',
    classes: 1,
  },
  {
    code: 'AC',
    name: '会计学',
    nameEn: 'Accounting',
    short: '会计',
    shortEn: 'Acct',
    schoolCode: 'EM',
    classes: 1,
  },
  {
    code: 'EC',
    name: '经济学',
    nameEn: 'Economics',
    short: '经济',
    shortEn: 'Econ',
    schoolCode: 'EM',
    classes: 1,
  },
  {
    code: 'LA',
    name: '法学',
    nameEn: 'Law',
    short: '法学',
    shortEn: 'Law',
    schoolCode: 'LW',
    classes: 1,
  },
  {
    code: 'CL',
    name: '汉语言文学',
    nameEn: 'Chinese Language and Literature',
    short: '中文',
    shortEn: 'Chinese',
    schoolCode: 'HU',
    classes: 1,
  },
  {
    code: 'EN',
    name: '英语',
    nameEn: 'English',
    short: '英语',
    shortEn: 'English',
    schoolCode: 'FL',
    classes: 1,
  },
  {
    code: 'VD',
    name: '视觉传达设计',
    nameEn: 'Visual Communication Design',
    short: '视传',
    shortEn: 'VisCom',
    schoolCode: 'AD',
    classes: 1,
  },
]

/** Years of entry. Fixed, because student numbers contain them. */
const intakes = [2023, 2024, 2025, 2026]

export type DemoClass = DemoGroup & {
  kind: 'class'
  major: DemoMajor
  intake: number
  /** 1 to 4, in the school year in which the demo was written. */
  year: number
  schoolCode: string
  /** First eight digits of its students' numbers. */
  numberPrefix: string
}

export const classes: DemoClass[] = schools.flatMap((school, schoolAt) =>
  intakes.flatMap((intake) => {
    const ofSchool = majors
      .filter((major) => major.schoolCode === school.code)
      .flatMap((major) => Array.from({ length: major.classes }, (_, at) => ({ major, at: at + 1 })))
    return ofSchool.map(({ major, at }, classAt): DemoClass => {
      const suffix = `${intake % 100}${two(at)}`
      return {
        code: `C-${major.code}${suffix}`,
        name: major.short + suffix,
        nameEn: `${major.shortEn} ${suffix}`,
        kind: 'class',
        major,
        intake,
        year: 2027 - intake,
        schoolCode: school.code,
        numberPrefix: `${intake}${31 + schoolAt}${two(classAt + 1)}`,
      }
    })
  }),
)

const dormitories: DemoGroup[] = [
  ['兰苑', 'Orchid Court', 6],
  ['竹苑', 'Bamboo Court', 6],
  ['松苑', 'Pine Court', 4],
].flatMap(([name, nameEn, count], court) =>
  Array.from({ length: Number(count) }, (_, at) => ({
    code: `D-${court + 1}${two(at + 1)}`,
    name: `${name}${at + 1}栋`,
    nameEn: `${nameEn} ${at + 1}`,
    kind: 'dormitory' as const,
  })),
)

const clubs: DemoGroup[] = [
  group('A-badminton', '羽毛球协会', 'Badminton Club'),
  group('A-photo', '光影摄影社', 'Photography Society'),
  group('A-choir', '大学生合唱团', 'Student Choir'),
  group('A-rowing', '赛艇俱乐部', 'Rowing Club'),
  group('A-robot', '机器人创新实验社', 'Robotics Workshop'),
  group('A-code', '算法与程序设计协会', 'Programming Society'),
  group('A-volunteer', '青年志愿者协会', 'Young Volunteers'),
  group('A-drama', '回声话剧社', 'Echo Drama Society'),
  group('A-astro', '天文爱好者协会', 'Astronomy Society'),
  group('A-debate', '辩论协会', 'Debating Society'),
  group('A-poem', '岚山诗社', 'Lanshan Poetry Society'),
  group('A-mountain', '山野户外协会', 'Hill-Walking Club'),
]

const partyBranches: DemoGroup[] = schools.flatMap(({ code, name, nameEn }) => [
  {
    code: `P-${code}1`,
    name: `${name}教工党支部`,
    nameEn: `Staff Party Branch, ${nameEn}`,
    kind: 'party' as const,
  },
  {
    code: `P-${code}2`,
    name: `${name}学生党支部`,
    nameEn: `Student Party Branch, ${nameEn}`,
    kind: 'party' as const,
  },
])

const projects: DemoGroup[] = [
  { code: 'J-exam', name: '考务工作组', nameEn: 'Examinations Working Group', kind: 'project' },
  { code: 'J-web', name: '校园网信息员', nameEn: 'Departmental Web Editors', kind: 'project' },
  { code: 'J-open', name: '开题评审专家组', nameEn: 'Proposal Review Panel', kind: 'project' },
]

export const groups: DemoGroup[] = [
  ...classes,
  ...dormitories,
  ...clubs,
  ...partyBranches,
  ...projects,
]

const firstMobile = 13_800_000_000

/** A second account of a named member: a staff member who also studies for a degree. */
export const secondAccount = {
  of: 'staff',
  username: '2023410086',
  identityCode: 'S02',
  organizationCode: 'CS',
}

export const namedMembers: DemoMember[] = [
  {
    username: 'student',
    number: '2024310217',
    name: '林知夏',
    nameEn: 'Lin Zhixia',
    gender: 'female',
    identityCode: 'S01',
    organizationCode: 'CS',
    mobile: String(firstMobile + 1),
    email: 'lin.zhixia@stu.jianglan.example',
    groupCodes: ['C-CT2401', 'D-105', 'A-badminton', 'A-code'],
  },
  {
    username: 'teacher',
    number: '20110342',
    name: '周明远',
    nameEn: 'Zhou Mingyuan',
    gender: 'male',
    identityCode: 'T01',
    organizationCode: 'CS',
    mobile: String(firstMobile + 2),
    email: 'zhou.mingyuan@jianglan.example',
    groupCodes: ['P-CS1', 'J-open'],
  },
  {
    username: 'staff',
    number: '20150871',
    name: '陈思齐',
    nameEn: 'Chen Siqi',
    gender: 'female',
    identityCode: 'E01',
    organizationCode: 'O03',
    mobile: String(firstMobile + 3),
    email: 'chen.siqi@jianglan.example',
    groupCodes: ['J-exam', 'J-web'],
  },
  {
    username: 'admin',
    number: '20130156',
    name: '赵启航',
    nameEn: 'Zhao Qihang',
    gender: 'male',
    identityCode: 'E01',
    organizationCode: 'O17',
    mobile: String(firstMobile + 4),
    email: 'zhao.qihang@jianglan.example',
    groupCodes: ['J-web'],
  },
  {
    username: 'editor',
    number: '20180215',
    name: '许文澜',
    nameEn: 'Xu Wenlan',
    gender: 'female',
    identityCode: 'E01',
    organizationCode: 'O17',
    mobile: String(firstMobile + 5),
    email: 'xu.wenlan@jianglan.example',
    groupCodes: ['J-web'],
  },
  {
    username: 'reviewer',
    number: '20120098',
    name: '沈嘉言',
    nameEn: 'Shen Jiayan',
    gender: 'male',
    identityCode: 'E01',
    organizationCode: 'O17',
    mobile: String(firstMobile + 6),
    email: 'shen.jiayan@jianglan.example',
    groupCodes: ['J-web'],
  },
]

const counts = { postgraduates: 300, teachers: 220, counsellors: 28, staff: 130, guests: 40 }
const generatedCount = 2000

/** The generated members, always the same. */
export const generatedMembers: DemoMember[] = generate()

function generate() {
  const chance = random('members')
  const names = nameSource(random('names'))
  const list: DemoMember[] = []
  const mobiles = random('mobiles').shuffle(
    Array.from({ length: generatedCount }, (_, at) => firstMobile + 10_001 + at * 4),
  )
  const addresses = new Set(namedMembers.map(({ email }) => email))

  function add(
    drawn: ReturnType<typeof names.chinese>,
    rest: Pick<DemoMember, 'number' | 'identityCode' | 'organizationCode' | 'groupCodes'>,
  ) {
    const host = rest.identityCode.startsWith('S') ? 'stu.jianglan.example' : 'jianglan.example'
    list.push({
      ...drawn,
      ...rest,
      username: rest.number,
      mobile: String(mobiles[list.length]),
      email: address(drawn.nameEn, host, addresses),
    })
  }

  const undergraduates = generatedCount - Object.values(counts).reduce((sum, count) => sum + count)
  const seats = classes.map(() => 0)
  for (let at = 0; at < undergraduates; at++) {
    const classAt = at % classes.length
    const ofClass = classes[classAt] as DemoClass
    seats[classAt] = (seats[classAt] ?? 0) + 1
    // The named student has the seventeenth place of her class.
    if (ofClass.code === 'C-CT2401' && seats[classAt] === 17) seats[classAt] = 18
    const drawn =
      (at % 83 === 40 ? names.rare() : at % 97 === 60 ? names.foreign() : undefined) ??
      names.chinese('young')
    add(drawn, {
      number: ofClass.numberPrefix + two(seats[classAt] as number),
      identityCode: 'S01',
      organizationCode: ofClass.schoolCode,
      groupCodes: studentGroups(ofClass, drawn.gender),
    })
  }

  const departments = organizations.filter(({ kind }) => kind === 'department')
  for (let at = 0; at < counts.postgraduates; at++) {
    const department = chance.pick(departments)
    const schoolAt = schools.findIndex(({ code }) => code === department.parentCode)
    const drawn = (at % 60 === 30 ? names.foreign() : undefined) ?? names.chinese('young')
    add(drawn, {
      number: `${chance.pick(intakes.slice(1))}${31 + schoolAt}8${String(at + 1).padStart(3, '0')}`,
      identityCode: 'S02',
      organizationCode: department.code,
      groupCodes: [
        dormitory(drawn.gender),
        ...(chance.chance(0.2) ? [`P-${department.parentCode}2`] : []),
      ],
    })
  }

  const staffNumber = (at: number) => `${chance.int(1993, 2025)}${1000 + at}`
  for (let at = 0; at < counts.teachers; at++) {
    const department = chance.chance(0.08) ? undefined : chance.pick(departments)
    add((at % 110 === 50 ? names.rare() : undefined) ?? names.chinese('older'), {
      number: staffNumber(at),
      identityCode: 'T01',
      organizationCode: department?.code ?? chance.pick(instituteCodes),
      groupCodes: department && chance.chance(0.4) ? [`P-${department.parentCode}1`] : [],
    })
  }
  for (let at = 0; at < counts.counsellors; at++) {
    const school = schools[at % schools.length] as (typeof schools)[number]
    add(names.chinese(at % 2 ? 'older' : 'young'), {
      number: staffNumber(300 + at),
      identityCode: 'T02',
      organizationCode: school.code,
      groupCodes: [`P-${school.code}2`],
    })
  }
  for (let at = 0; at < counts.staff; at++) {
    add(names.chinese('older'), {
      number: staffNumber(400 + at),
      identityCode: 'E01',
      organizationCode: officeCodes[at % officeCodes.length] as string,
      groupCodes: chance.chance(0.15) ? ['J-web'] : [],
    })
  }
  for (let at = 0; at < counts.guests; at++) {
    add(names.chinese(chance.chance(0.5) ? 'older' : 'young'), {
      number: `V${String(260_001 + at * 7)}`,
      identityCode: 'G01',
      organizationCode: 'O23',
      groupCodes: [],
    })
  }
  return list

  function studentGroups(ofClass: DemoClass, gender: DemoMember['gender']) {
    const result = [ofClass.code, dormitory(gender)]
    if (chance.chance(0.35)) result.push(chance.pick(clubs).code)
    if (ofClass.year > 1 && chance.chance(0.12)) result.push(`P-${ofClass.schoolCode}2`)
    return result
  }
  function dormitory(gender: DemoMember['gender']) {
    return chance.pick(
      dormitories.filter(({ code }) => code.startsWith(gender === 'female' ? 'D-1' : 'D-2')),
    ).code
  }
}

/** wang.zihan@…, then wang.zihan2@… */
function address(nameEn: string, host: string, taken: Set<string>) {
  const local = nameEn
    .normalize('NFD')
    .replace(/[\u0300-\u036f']/g, '')
    .replace(/đ/gi, 'd')
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
  for (let at = 1; ; at++) {
    const result = `${local}${at > 1 ? at : ''}@${host}`
    if (taken.has(result)) continue
    taken.add(result)
    return result
  }
}

function group(code: string, name: string, nameEn: string): DemoGroup {
  return { code, name, nameEn, kind: 'club' }
}
function two(value: number) {
  return String(value).padStart(2, '0')
}
