export type Course = {
  title: string
  titleEn: string
  /** School whose teachers teach it. */
  schoolCode: string
  /** Lessons per week. */
  lessons: 1 | 2
  where: 'lecture' | 'lab' | 'field'
  /** Every other week only. */
  alternate?: true
}

/** The five double periods of a day. */
export const periods = [
  { start: '08:00', end: '09:35' },
  { start: '10:00', end: '11:35' },
  { start: '13:30', end: '15:05' },
  { start: '15:20', end: '16:55' },
  { start: '18:30', end: '20:05' },
] as const
export const periodMinutes = 95

/** A school's own building, for its laboratories and small classes. */
export const buildings: Record<string, string> = {
  CS: '信息楼',
  EE: '电子楼',
  ME: '工程训练中心',
  CE: '土木楼',
  MA: '理科楼',
  PH: '物理楼',
  CH: '化学楼',
  LS: '生命楼',
  MD: '医学楼',
  EM: '经管楼',
  LW: '法学楼',
  HU: '人文楼',
  FL: '外语楼',
  AD: '艺术楼',
}

const course = (
  text: string,
  schoolCode: string,
  lessons: 1 | 2 = 2,
  where: Course['where'] = 'lecture',
  alternate?: true,
): Course => {
  const [title = '', titleEn = ''] = text.split('|')
  return { title, titleEn, schoolCode, lessons, where, ...(alternate && { alternate }) }
}

const mathematics = course('高等数学 A|Calculus A', 'MA')
const linear = course('线性代数|Linear Algebra', 'MA')
const probability = course('概率论与数理统计|Probability and Statistics', 'MA')
const physics = course('大学物理|College Physics', 'PH')
const physicsLab = course('大学物理实验|Physics Laboratory', 'PH', 1, 'lab', true)
const english = course('大学英语|College English', 'FL')
const writing = course('学术英语写作|Academic English Writing', 'FL', 1)
const sport = course('体育|Physical Education', 'O21', 1, 'field')
const history = course('中国近现代史纲要|Modern Chinese History', 'HU', 1)
const philosophy = course('马克思主义基本原理|Basic Principles of Marxism', 'HU', 1)
const literature = course('大学语文|Chinese Composition', 'HU', 1)
const policy = course('形势与政策|Current Affairs', 'HU', 1, 'lecture', true)
const career = course('职业发展与就业指导|Career Planning', 'EM', 1, 'lecture', true)

/** Courses of all students, by year; science students also take mathematics. */
const common: Course[][] = [
  [english, history, literature, sport],
  [english, philosophy, sport, policy],
  [writing, sport, policy],
  [career],
]
const scientific: Course[][] = [[mathematics, linear], [probability, physics, physicsLab], [], []]
const sciences = ['CS', 'EE', 'ME', 'CE', 'PH', 'CH', 'EM']

/** Courses of each major by year: `标题|Title`; + marks a laboratory course. */
const own: Record<string, string[][]> = {
  AI: [
    ['人工智能导论|Introduction to AI', '程序设计基础|Introduction to Programming'],
    [
      '数据结构|Data Structures',
      '最优化方法|Optimisation',
      '+数据结构实验|Data Structures Laboratory',
    ],
    [
      '深度学习|Deep Learning',
      '自然语言处理|Natural Language Processing',
      '计算机视觉|Computer Vision',
      '+智能系统实验|Intelligent Systems Laboratory',
    ],
    ['强化学习|Reinforcement Learning', '人工智能伦理|Ethics of AI'],
  ],
  CT: [
    ['计算机科学导论|Introduction to Computer Science', '程序设计基础|Introduction to Programming'],
    [
      '数据结构|Data Structures',
      '离散数学|Discrete Mathematics',
      '+数据结构实验|Data Structures Laboratory',
    ],
    [
      '操作系统|Operating Systems',
      '计算机网络|Computer Networks',
      '编译原理|Compilers',
      '+操作系统课程设计|Operating Systems Project',
    ],
    ['分布式系统|Distributed Systems', '软件工程实践|Software Engineering Practice'],
  ],
  SE: [
    [
      '软件工程导论|Introduction to Software Engineering',
      '程序设计基础|Introduction to Programming',
    ],
    [
      '面向对象设计|Object-Oriented Design',
      '数据库系统|Database Systems',
      '+数据库实验|Database Laboratory',
    ],
    [
      '软件测试|Software Testing',
      '需求工程|Requirements Engineering',
      '人机交互|Human–Computer Interaction',
      '+移动应用开发|Mobile Development',
    ],
    ['软件项目管理|Software Project Management', '开源软件实践|Open-Source Practice'],
  ],
  CO: [
    ['电路分析|Circuit Analysis', '程序设计基础|Introduction to Programming'],
    [
      '信号与系统|Signals and Systems',
      '模拟电子技术|Analogue Electronics',
      '+电子技术实验|Electronics Laboratory',
    ],
    [
      '通信原理|Principles of Communication',
      '数字信号处理|Digital Signal Processing',
      '+通信原理实验|Communication Laboratory',
    ],
    ['移动通信|Mobile Communication', '光纤通信|Optical Communication'],
  ],
  MI: [
    ['电路分析|Circuit Analysis', '工程制图|Engineering Drawing'],
    [
      '半导体物理|Semiconductor Physics',
      '数字电路|Digital Circuits',
      '+数字电路实验|Digital Circuits Laboratory',
    ],
    [
      '集成电路设计|Integrated Circuit Design',
      '微电子工艺|Microfabrication',
      '+版图设计实验|Layout Laboratory',
    ],
    ['芯片测试|Chip Testing', '微机电系统|Microelectromechanical Systems'],
  ],
  MC: [
    ['工程制图|Engineering Drawing', '理论力学|Theoretical Mechanics'],
    [
      '材料力学|Mechanics of Materials',
      '机械原理|Theory of Machines',
      '+金工实习|Workshop Practice',
    ],
    [
      '机械设计|Machine Design',
      '控制工程基础|Control Engineering',
      '+机械设计课程设计|Machine Design Project',
    ],
    ['先进制造技术|Advanced Manufacturing', '机械故障诊断|Fault Diagnosis'],
  ],
  RO: [
    ['机器人学导论|Introduction to Robotics', '工程制图|Engineering Drawing'],
    [
      '机构学|Mechanisms',
      '电机与驱动|Motors and Drives',
      '+机器人拆装实习|Robot Assembly Practice',
    ],
    [
      '机器人控制|Robot Control',
      '传感器技术|Sensors',
      '机器视觉|Machine Vision',
      '+移动机器人实验|Mobile Robot Laboratory',
    ],
    ['人机协作|Human–Robot Collaboration', '机器人系统综合|Robot Systems'],
  ],
  CV: [
    ['土木工程概论|Introduction to Civil Engineering', '画法几何|Descriptive Geometry'],
    [
      '结构力学|Structural Mechanics',
      '土木工程材料|Construction Materials',
      '+测量实习|Surveying Practice',
    ],
    ['混凝土结构|Concrete Structures', '土力学|Soil Mechanics', '+土工实验|Soil Laboratory'],
    ['桥梁工程|Bridge Engineering', '工程项目管理|Construction Management'],
  ],
  MT: [
    ['数学分析|Mathematical Analysis', '高等代数|Advanced Algebra'],
    [
      '常微分方程|Ordinary Differential Equations',
      '概率论|Probability',
      '近世代数|Abstract Algebra',
    ],
    [
      '实变函数|Real Analysis',
      '数值分析|Numerical Analysis',
      '+数学建模实验|Mathematical Modelling',
    ],
    ['泛函分析|Functional Analysis', '随机过程|Stochastic Processes'],
  ],
  PY: [
    ['力学|Mechanics', '热学|Heat'],
    [
      '电磁学|Electromagnetism',
      '数学物理方法|Mathematical Physics',
      '+普通物理实验|General Physics Laboratory',
    ],
    [
      '量子力学|Quantum Mechanics',
      '电动力学|Electrodynamics',
      '+近代物理实验|Modern Physics Laboratory',
    ],
    ['固体物理|Solid-State Physics', '天体物理导论|Introduction to Astrophysics'],
  ],
  MA: [
    ['无机化学|Inorganic Chemistry', '工程制图|Engineering Drawing'],
    [
      '物理化学|Physical Chemistry',
      '材料科学基础|Foundations of Materials Science',
      '+材料科学实验|Materials Laboratory',
    ],
    [
      '材料力学性能|Mechanical Behaviour of Materials',
      '材料分析方法|Materials Characterisation',
      '+电子显微实验|Electron Microscopy',
    ],
    ['复合材料|Composites', '能源材料|Materials for Energy'],
  ],
  BI: [
    ['植物生物学|Plant Biology', '普通化学|General Chemistry'],
    ['生物化学|Biochemistry', '遗传学|Genetics', '+生物化学实验|Biochemistry Laboratory'],
    ['分子生物学|Molecular Biology', '生态学|Ecology', '+野外生态学实习|Field Ecology'],
    ['生物信息学|Bioinformatics', '保护生物学|Conservation Biology'],
  ],
  CM: [
    ['人体解剖学|Human Anatomy', '医学伦理学|Medical Ethics'],
    ['生理学|Physiology', '病理学|Pathology', '+机能学实验|Functional Laboratory'],
    [
      '诊断学|Diagnostics',
      '内科学|Internal Medicine',
      '外科学|Surgery',
      '+临床技能训练|Clinical Skills',
    ],
    ['儿科学|Paediatrics', '急诊医学|Emergency Medicine'],
  ],
  AC: [
    ['会计学原理|Principles of Accounting', '微观经济学|Microeconomics'],
    ['中级财务会计|Intermediate Accounting', '经济法|Business Law', '管理学|Management'],
    ['审计学|Auditing', '成本会计|Cost Accounting', '+会计信息系统|Accounting Information Systems'],
    ['税法|Tax Law', '财务报表分析|Financial Statement Analysis'],
  ],
  EC: [
    ['微观经济学|Microeconomics', '政治经济学|Political Economy'],
    ['宏观经济学|Macroeconomics', '统计学|Statistics', '财政学|Public Finance'],
    [
      '计量经济学|Econometrics',
      '发展经济学|Development Economics',
      '+经济数据分析|Economic Data Analysis',
    ],
    ['区域经济学|Regional Economics', '行为经济学|Behavioural Economics'],
  ],
  LA: [
    ['法理学|Jurisprudence', '宪法学|Constitutional Law'],
    ['民法总论|Civil Law', '刑法总论|Criminal Law', '中国法制史|History of Chinese Law'],
    [
      '民事诉讼法|Civil Procedure',
      '知识产权法|Intellectual Property',
      '国际法|International Law',
      '+模拟法庭|Moot Court',
    ],
    ['劳动法|Labour Law', '法律职业伦理|Legal Ethics'],
  ],
  CL: [
    ['现代汉语|Modern Chinese', '文学概论|Introduction to Literature'],
    [
      '古代汉语|Classical Chinese',
      '中国古代文学|Classical Chinese Literature',
      '写作|Creative Writing',
    ],
    [
      '中国现当代文学|Modern Chinese Literature',
      '文献学|Textual Studies',
      '比较文学|Comparative Literature',
    ],
    ['楚辞研读|Reading the Songs of Chu', '编辑出版实务|Editing and Publishing'],
  ],
  EN: [
    ['综合英语|Integrated English', '英语语音|English Phonetics'],
    [
      '英语阅读|English Reading',
      '英语听说|Listening and Speaking',
      '第二外语|Second Foreign Language',
    ],
    [
      '英汉笔译|Translation',
      '英国文学|English Literature',
      '语言学导论|Introduction to Linguistics',
    ],
    ['交替传译|Consecutive Interpreting', '英语教学法|English Teaching Methods'],
  ],
  VD: [
    ['造型基础|Foundations of Form', '设计概论|Introduction to Design'],
    ['字体设计|Type Design', '版式设计|Layout', '+摄影|Photography'],
    [
      '品牌设计|Brand Design',
      '信息可视化|Information Visualisation',
      '+印刷工艺实践|Print Workshop',
    ],
    ['展示设计|Exhibition Design', '毕业创作|Final Project'],
  ],
}

/** The weekly courses of a class of this major and year. */
export function coursesOf(majorCode: string, schoolCode: string, year: number): Course[] {
  const at = year - 1
  const ofMajor = (own[majorCode]?.[at] ?? []).map((text) =>
    text.startsWith('+')
      ? course(text.slice(1), schoolCode, 1, 'lab')
      : course(text, schoolCode, 2),
  )
  return [
    ...ofMajor,
    ...(sciences.includes(schoolCode) ? (scientific[at] ?? []) : []),
    ...(common[at] ?? []),
  ].filter(({ title }, place, all) => all.findIndex((other) => other.title === title) === place)
}
