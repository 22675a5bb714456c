export type DemoOrganization = {
  code: string
  name: string
  nameEn: string
  kind: 'university' | 'school' | 'department' | 'office' | 'institute'
  parentCode: string | null
}

export const university = { code: 'JLU', name: '江岚大学', nameEn: 'Jianglan University' }

type Named = [code: string, name: string, nameEn: string]
type School = { code: string; name: string; nameEn: string; departments: Named[] }

export const schools: School[] = [
  {
    code: 'CS',
    name: '计算机学院',
    nameEn: 'School of Computer Science',
    departments: [
      ['CS01', '计算机科学与技术系', 'Department of Computer Science and Technology'],
      ['CS02', '软件工程系', 'Department of Software Engineering'],
      ['CS03', '人工智能系', 'Department of Artificial Intelligence'],
      ['CS04', '网络空间安全系', 'Department of Cyberspace Security'],
    ],
  },
  {
    code: 'EE',
    name: '电子信息学院',
    nameEn: 'School of Electronic Information',
    departments: [
      ['EE01', '电子科学与技术系', 'Department of Electronic Science and Technology'],
      ['EE02', '通信工程系', 'Department of Communication Engineering'],
      ['EE03', '微电子系', 'Department of Microelectronics'],
    ],
  },
  {
    code: 'ME',
    name: '机械与动力工程学院',
    nameEn: 'School of Mechanical and Power Engineering',
    departments: [
      ['ME01', '机械工程系', 'Department of Mechanical Engineering'],
      ['ME02', '能源与动力工程系', 'Department of Energy and Power Engineering'],
      ['ME03', '机器人工程系', 'Department of Robotics'],
    ],
  },
  {
    code: 'CE',
    name: '土木与水利学院',
    nameEn: 'School of Civil and Hydraulic Engineering',
    departments: [
      ['CE01', '土木工程系', 'Department of Civil Engineering'],
      ['CE02', '水利水电工程系', 'Department of Hydraulic Engineering'],
      ['CE03', '交通工程系', 'Department of Transportation Engineering'],
    ],
  },
  {
    code: 'MA',
    name: '数学与统计学院',
    nameEn: 'School of Mathematics and Statistics',
    departments: [
      ['MA01', '数学系', 'Department of Mathematics'],
      ['MA02', '统计学系', 'Department of Statistics'],
      ['MA03', '公共数学教学部', 'Division of Mathematics Teaching'],
    ],
  },
  {
    code: 'PH',
    name: '物理学院',
    nameEn: 'School of Physics',
    departments: [
      ['PH01', '物理学系', 'Department of Physics'],
      ['PH02', '天文学系', 'Department of Astronomy'],
      ['PH03', '大学物理实验中心', 'Physics Teaching Laboratories'],
    ],
  },
  {
    code: 'CH',
    name: '化学与材料学院',
    nameEn: 'School of Chemistry and Materials',
    departments: [
      ['CH01', '化学系', 'Department of Chemistry'],
      ['CH02', '材料科学与工程系', 'Department of Materials Science and Engineering'],
      ['CH03', '化学工程系', 'Department of Chemical Engineering'],
    ],
  },
  {
    code: 'LS',
    name: '生命科学学院',
    nameEn: 'School of Life Sciences',
    departments: [
      ['LS01', '生物科学系', 'Department of Biology'],
      ['LS02', '生物技术系', 'Department of Biotechnology'],
      ['LS03', '生态学系', 'Department of Ecology'],
    ],
  },
  {
    code: 'MD',
    name: '医学院',
    nameEn: 'School of Medicine',
    departments: [
      ['MD01', '临床医学系', 'Department of Clinical Medicine'],
      ['MD02', '护理学系', 'Department of Nursing'],
      ['MD03', '公共卫生系', 'Department of Public Health'],
    ],
  },
  {
    code: 'EM',
    name: '经济与管理学院',
    nameEn: 'School of Economics and Management',
    departments: [
      ['EM01', '经济学系', 'Department of Economics'],
      ['EM02', '工商管理系', 'Department of Business Administration'],
      ['EM03', '会计学系', 'Department of Accounting'],
      ['EM04', '信息管理系', 'Department of Information Management'],
    ],
  },
  {
    code: 'LW',
    name: '法学院',
    nameEn: 'School of Law',
    departments: [
      ['LW01', '法学系', 'Department of Law'],
      ['LW02', '知识产权系', 'Department of Intellectual Property'],
    ],
  },
  {
    code: 'HU',
    name: '人文学院',
    nameEn: 'School of Humanities',
    departments: [
      ['HU01', '中国语言文学系', 'Department of Chinese Language and Literature'],
      ['HU02', '历史学系', 'Department of History'],
      ['HU03', '新闻与传播系', 'Department of Journalism and Communication'],
    ],
  },
  {
    code: 'FL',
    name: '外国语学院',
    nameEn: 'School of Foreign Languages',
    departments: [
      ['FL01', '英语系', 'Department of English'],
      ['FL02', '日语系', 'Department of Japanese'],
      ['FL03', '大学外语教学部', 'Division of College Foreign Languages'],
    ],
  },
  {
    code: 'AD',
    name: '艺术与设计学院',
    nameEn: 'School of Art and Design',
    departments: [
      ['AD01', '视觉传达设计系', 'Department of Visual Communication Design'],
      ['AD02', '环境设计系', 'Department of Environmental Design'],
      ['AD03', '音乐系', 'Department of Music'],
      ['AD04', '陶瓷艺术系', 'Department of Ceramic Art'],
    ],
  },
]

const offices: Named[] = [
  ['O01', '党委办公室、校长办公室', 'Office of the Party Committee and the President'],
  ['O02', '党委宣传部', 'Publicity Office'],
  ['O03', '教务处', 'Registrar’s Office'],
  ['O04', '研究生院', 'Graduate School'],
  ['O05', '学生处', 'Student Affairs Office'],
  ['O06', '共青团江岚大学委员会', 'Youth League Committee'],
  ['O07', '招生就业处', 'Admissions and Careers Office'],
  ['O08', '科研院', 'Office of Research'],
  ['O09', '人事处', 'Human Resources Office'],
  ['O10', '财务处', 'Finance Office'],
  ['O11', '国际合作处', 'International Office'],
  ['O12', '后勤处', 'Campus Services Office'],
  ['O13', '资产与实验室管理处', 'Assets and Laboratories Office'],
  ['O14', '保卫处', 'Campus Security Office'],
  ['O15', '基建处', 'Campus Construction Office'],
  ['O16', '审计处', 'Audit Office'],
  ['O17', '信息化中心', 'IT Centre'],
  ['O18', '图书馆', 'University Library'],
  ['O19', '档案馆、校史馆', 'University Archives and Museum'],
  ['O20', '校医院', 'University Hospital'],
  ['O21', '体育部', 'Department of Physical Education'],
  ['O22', '工会', 'Staff Union'],
  ['O23', '校友工作办公室', 'Alumni Relations Office'],
  ['O24', '心理健康教育中心', 'Counselling Centre'],
  ['O25', '教师发展中心', 'Centre for Teaching and Learning'],
]

const institutes: Named[] = [
  ['R01', '智能系统研究院', 'Institute of Intelligent Systems'],
  ['R02', '江岚流域生态研究中心', 'Jianglan River Basin Ecology Centre'],
  ['R03', '先进材料研究所', 'Institute of Advanced Materials'],
  ['R04', '数据科学研究中心', 'Centre for Data Science'],
  ['R05', '城市与区域发展研究院', 'Institute of Urban and Regional Development'],
  ['R06', '古籍整理研究所', 'Institute for Ancient Texts'],
]

export const organizations: DemoOrganization[] = [
  { ...university, kind: 'university', parentCode: null },
  ...schools.flatMap(({ code, name, nameEn, departments }): DemoOrganization[] => [
    { code, name, nameEn, kind: 'school', parentCode: university.code },
    ...departments.map((department) => named(department, 'department', code)),
  ]),
  ...offices.map((office) => named(office, 'office', university.code)),
  ...institutes.map((institute) => named(institute, 'institute', university.code)),
]

/** Codes of offices and institutes, for their staff. */
export const officeCodes = offices.map(([code]) => code)
export const instituteCodes = institutes.map(([code]) => code)

function named([code, name, nameEn]: Named, kind: DemoOrganization['kind'], parentCode: string) {
  return { code, name, nameEn, kind, parentCode }
}

const byCode = new Map(organizations.map((organization) => [organization.code, organization]))

/** Finds an organisation by code; throws for an unknown code, a mistake in the demo's data. */
export function organization(code: string): DemoOrganization {
  const found = byCode.get(code)
  if (!found) throw new Error(`There is no organisation ${code} in the demo institution`)
  return found
}
