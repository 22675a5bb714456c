import type { WrittenArticle } from './news-article.ts'
import { random } from './random.ts'

/**
 * Short articles of which a university publishes dozens: topic and facts are hand-written, the wording around them is
 * drawn from several templates.
 */
const chance = random('news')

type Talk = {
  by: string
  title: string
  en: string
  speaker: string
  from: string
  abstract: string
  place: string
  picture?: string
}
const lectureTopics: Talk[] = [
  {
    by: 'PH',
    title: '引力波探测的下一个十年',
    en: 'The next decade of gravitational-wave astronomy',
    speaker: '严景安',
    from: '天文学系教授',
    abstract:
      '两个黑洞并合时，时空抖动的幅度不到质子直径的千分之一。报告介绍如何从噪声里把它认出来，以及下一代探测器为什么要建到地下和太空。',
    place: '物理楼 106',
    picture: 'telescope',
  },
  {
    by: 'MA',
    title: '从一张地铁图说起：图论里的最短与最稳',
    en: 'From a metro map: shortest and safest paths in graph theory',
    speaker: '郭乐怡',
    from: '数学系副教授',
    abstract:
      '最短的路线往往最脆弱，一站停运全网受阻。报告讨论怎样在“短”和“稳”之间取舍，并给出江岚市未来线网的一个计算实验。',
    place: '理科楼 301',
  },
  {
    by: 'LS',
    title: '蝾螈为什么能长出新的腿',
    en: 'Why a salamander can grow a new leg',
    speaker: '姚心怡',
    from: '生物科学系研究员',
    abstract:
      '同样是伤口，有的动物留下疤痕，有的长回整条腿。差别也许不在“能不能长”，而在“什么时候停”。报告展示团队三年的延时影像。',
    place: '生命楼报告厅',
    picture: 'lab',
  },
  {
    by: 'HU',
    title: '账本里的社会史：一个渡口的六十一年',
    en: 'Social history in a ledger: sixty-one years of a ferry',
    speaker: '叶秀云',
    from: '历史学系教授',
    abstract:
      '谁过江，带了什么，付了多少，欠了多少。报告从四十七册账册出发，谈普通人的流动、灾荒与信用。',
    place: '人文楼 214',
    picture: 'books',
  },
  {
    by: 'EE',
    title: '一纳秒有多长：芯片里的时间管理',
    en: 'How long is a nanosecond: time inside a chip',
    speaker: '冯志刚',
    from: '微电子系教授',
    abstract:
      '光在一纳秒里只走三十厘米，芯片却要在这段时间内完成数次判断。报告讲述时钟树、抖动和“等一等”电路的故事。',
    place: '电子楼 B101',
  },
  {
    by: 'EM',
    title: '排队的经济学：为什么取号比插队贵',
    en: 'The economics of queues',
    speaker: '潘晓敏',
    from: '经济学系副教授',
    abstract:
      '食堂、医院、充电桩，排队无处不在。报告用本校三年的预约数据，讨论价格、抽签与先到先得各自让谁受益。',
    place: '经管楼 402',
    picture: 'seminar',
  },
  {
    by: 'MD',
    title: '疼痛能不能被测量',
    en: 'Can pain be measured?',
    speaker: '任月琴',
    from: '临床医学系主任医师',
    abstract:
      '“从一到十，有多疼？”同一个七分，在不同人那里意义不同。报告介绍疼痛评估的历史、误区和面向失语患者的新方法。',
    place: '医学楼 201',
    picture: 'clinic',
  },
  {
    by: 'CH',
    title: '让催化剂慢下来看：原位表征的新手段',
    en: 'Watching a catalyst at work',
    speaker: '石文辉',
    from: '化学系教授',
    abstract:
      '催化剂工作时的样子与静止时并不相同。报告介绍如何在反应进行中“拍照”，以及由此推翻的两个教科书假设。',
    place: '化学楼 118',
    picture: 'lab',
  },
  {
    by: 'FL',
    title: '译者的隐身与现身：从三个《离骚》英译本谈起',
    en: 'The visible and invisible translator',
    speaker: '方静宁',
    from: '英语系教授',
    abstract: '同一行诗，三位译者给出三种香草。报告逐句对读，讨论翻译中的选择、注释与克制。',
    place: '外语楼 305',
  },
  {
    by: 'LW',
    title: '算法推荐与知情同意：一个法律人的困惑',
    en: 'Recommendation and consent: a lawyer’s puzzle',
    speaker: '丁卫平',
    from: '法学系教授',
    abstract:
      '点击“同意”时，我们同意了什么？报告从三起判例出发，讨论个人信息保护中“合理预期”的边界。',
    place: '法学楼模拟法庭',
  },
  {
    by: 'CE',
    title: '老桥的体检：听声音知道它累不累',
    en: 'Listening to old bridges',
    speaker: '付永辉',
    from: '交通工程系教授',
    abstract:
      '一座桥的固有频率会随温度、车流和损伤而变。报告介绍怎样用几枚廉价的加速度计，把“老了”和“坏了”区分开。',
    place: '土木楼 109',
    picture: 'bridge',
  },
  {
    by: 'ME',
    title: '软体机器人：没有骨头怎样用力',
    en: 'Soft robots: strength without bones',
    speaker: '梁晚舟',
    from: '机器人工程系副教授',
    abstract:
      '章鱼可以拧开瓶盖，也可以钻过硬币大的孔。报告展示三种仿生软体执行器，并现场演示抓取豆腐。',
    place: '工程训练中心 203',
    picture: 'robot',
  },
  {
    by: 'R01',
    title: '大语言模型如何读懂表格',
    en: 'How language models read tables',
    speaker: '顾立衡',
    from: '智能系统研究院研究员',
    abstract:
      '会写诗的模型常常数错行。报告分析表格理解中的典型错误，介绍一种把“读”和“算”分开的办法。',
    place: '信息楼 B402',
    picture: 'server-room',
  },
  {
    by: 'AD',
    title: '声音的建筑：音乐厅里的寂静从哪里来',
    en: 'The architecture of sound',
    speaker: '贾美玲',
    from: '环境设计系教授',
    abstract:
      '好的音乐厅首先要足够安静。报告从座椅布料、空调风口讲到观众的外套，并带听众走进未坐满的音乐厅做一次拍手实验。',
    place: '音乐厅',
    picture: 'choir',
  },
  {
    by: 'R02',
    title: '河流的记忆：用沉积物读两百年的水',
    en: 'The memory of a river in its sediments',
    speaker: '秦漱石',
    from: '流域生态研究中心研究员',
    abstract:
      '河底的泥一层层记着洪水、干旱与耕作。报告介绍岚湖岩芯的最新结果，其中有三次大水与渡口账册互相印证。',
    place: '生命楼 210',
    picture: 'lake',
  },
]

const lectureOpenings = [
  (t: Talk) => `${t.from}${t.speaker}近日将作学术报告，欢迎全校师生参加。`,
  (t: Talk) => `本期主讲人为${t.from}${t.speaker}，报告面向所有专业，不要求先修课程。`,
  (t: Talk) => `${t.speaker}（${t.from}）将带来一场学术报告，报告后安排三十分钟自由讨论。`,
  (t: Talk) => `本学期系列报告继续进行，这一次请到的是${t.from}${t.speaker}。`,
]
const lectureClosings = [
  '请在“学术讲座”报名，现场签到，计入第二课堂。座位有限，先到先坐。',
  '无需报名，现场备有茶水。报告录像将于一周后在网络教学平台公开。',
  '欢迎带着问题来。提前把问题写在报名页面上，主讲人会挑选其中五个回答。',
  '研究生参加可计入学术活动次数，请用移动门户身份码签到两次（开始与结束）。',
  '报告使用中文，幻灯片为英文；如需无障碍座位，请在报名时注明。',
]

const lectures: WrittenArticle[] = lectureTopics.map((topic, at) => ({
  title: `学术报告：${topic.title}`,
  en: `Lecture: ${topic.en}`,
  by: topic.by,
  days: [1, 3, 6, 9, 13, 17, 22, 28, 35, 43, 52, 64, 78, 93, 110][at] ?? 60,
  time: `${9 + (at % 8)}:${String((at * 17) % 60).padStart(2, '0')}`.padStart(5, '0'),
  author: '学院办公室',
  summary: topic.abstract,
  picture: topic.picture,
  body: `
${(lectureOpenings[at % lectureOpenings.length] as (t: Talk) => string)(topic)}

| 项目 | 内容 |
| 题目 | ${topic.title} |
| 主讲 | ${topic.speaker}，${topic.from} |
| 时间 | {${['mon', 'tue', 'wed', 'thu', 'fri'][at % 5]}+1w} ${['10:00', '14:30', '15:30', '19:00'][at % 4]} |
| 地点 | ${topic.place} |

## 内容提要

${topic.abstract}

${lectureClosings[at % lectureClosings.length]}`,
}))

type Employer = {
  name: string
  en: string
  business: string
  posts: string[]
  wants: string
  extra: string
}
const employers: Employer[] = [
  {
    name: '云栖港口机械有限公司',
    en: 'Yunqi Port Machinery',
    business: '港口起重设备的设计与制造',
    posts: ['结构设计工程师', '电气工程师', '现场服务工程师'],
    wants: '机械、电气、土木类专业，现场岗位每年约一百二十天出差',
    extra: '提供两人间公寓和首年导师制，设有女性工程师支持小组。',
  },
  {
    name: '江岚市城市规划设计院',
    en: 'Jianglan Planning and Design Institute',
    business: '城市与交通规划',
    posts: ['规划师', '交通分析师', '数据工程师'],
    wants: '城市规划、交通、统计类专业，硕士优先',
    extra: '面试含一次四小时的现场任务，任务题目提前一周公布。',
  },
  {
    name: '青禾种业研究院',
    en: 'Qinghe Seed Research',
    business: '水稻与油菜新品种选育',
    posts: ['育种助理', '分子实验员', '田间试验管理'],
    wants: '生物、生态、农学类专业，能适应田间工作',
    extra: '试验基地在三个县，工作日住基地，周末班车返回市区。',
  },
  {
    name: '知微医疗影像',
    en: 'Zhiwei Medical Imaging',
    business: '基层医院影像辅助诊断',
    posts: ['算法工程师', '产品经理', '临床应用专员'],
    wants: '计算机、医学、生物医学工程类专业，关心真实使用场景',
    extra: '所有新员工第一个月都在县医院放射科轮岗。',
  },
  {
    name: '岚江水务集团',
    en: 'Lanjiang Water',
    business: '城市供排水与水环境治理',
    posts: ['给排水工程师', '水质化验员', '调度员'],
    wants: '水利、化学、环境类专业，调度岗位需轮值夜班',
    extra: '新员工公寓满租三年，支持在职攻读工程硕士。',
  },
  {
    name: '拾光出版社',
    en: 'Shiguang Press',
    business: '人文与少儿图书出版',
    posts: ['图书编辑', '营销编辑', '版权专员'],
    wants: '中文、历史、外语、新闻类专业，请附一篇书评',
    extra: '笔试为现场改稿，允许查词典。',
  },
  {
    name: '北辰精密仪器',
    en: 'Beichen Precision Instruments',
    business: '光学与质谱仪器',
    posts: ['光学工程师', '嵌入式工程师', '应用化学师'],
    wants: '物理、电子、化学类专业，喜欢动手',
    extra: '开放日可参观装配车间，请穿平底鞋。',
  },
  {
    name: '和光律师事务所',
    en: 'Heguang Law Firm',
    business: '知识产权与劳动法律服务',
    posts: ['律师助理', '专利代理助理'],
    wants: '法学、知识产权专业，通过法律职业资格考试者优先',
    extra: '每周固定半天从事公益法律咨询，计入工作时间。',
  },
  {
    name: '万卷信息技术',
    en: 'Wanjuan Information Technology',
    business: '图书馆与档案信息系统',
    posts: ['后端工程师', '前端工程师', '实施顾问'],
    wants: '计算机、信息管理类专业，重视可读的代码和文档',
    extra: '笔试题目公开，可在家完成，面试讨论你的解法。',
  },
  {
    name: '远山新能源',
    en: 'Yuanshan Renewables',
    business: '风电与储能电站运营',
    posts: ['运维工程师', '电力市场分析师', '安全工程师'],
    wants: '能源、电气、经济类专业，运维岗位驻站两周休两周',
    extra: '驻站期间伙食由公司承担，配卫星电话。',
  },
  {
    name: '江岚市第二人民医院',
    en: 'Jianglan No. 2 People’s Hospital',
    business: '三级综合医院',
    posts: ['规培医师', '护士', '信息科工程师'],
    wants: '临床、护理、计算机类专业，护理岗位面向本科及以上',
    extra: '规培期间提供住宿，夜班补贴按次发放。',
  },
  {
    name: '木石设计工作室',
    en: 'Mushi Studio',
    business: '展览与公共空间设计',
    posts: ['平面设计师', '空间设计师', '项目执行'],
    wants: '设计类专业，请带三件自己最不满意的作品来谈',
    extra: '不要求加班，截稿前一周除外，结束后补休。',
  },
]
const careerTalks: WrittenArticle[] = employers.map((employer, at) => ({
  title: `宣讲会：${employer.name}（${employer.posts.join('、')}）`,
  en: `Employer talk: ${employer.en}`,
  by: 'O07',
  days: [0, 2, 5, 8, 12, 16, 21, 27, 38, 50, 66, 88][at] ?? 40,
  time: `${String(9 + ((at * 5) % 8)).padStart(2, '0')}:${['05', '20', '35', '50'][at % 4]}`,
  author: '招生就业处',
  summary: `${employer.business}，招聘${employer.posts.join('、')}，共${6 + ((at * 7) % 25)}人。`,
  picture: at % 3 === 0 ? 'job-fair' : undefined,
  body: `
${
  [
    `${employer.name}主要从事${employer.business}，近期将来校宣讲，并现场接收简历。`,
    `来自${employer.name}的招聘团队将于近日到校，与同学们面对面介绍${employer.business}方面的工作机会。`,
    `从事${employer.business}的${employer.name}今年继续面向我校招聘应届毕业生。`,
  ][at % 3]
}

| 项目 | 安排 |
| 时间 | {${['tue', 'wed', 'thu'][at % 3]}+1w} ${['14:00', '15:30', '18:30'][(at + 1) % 3]} |
| 地点 | ${['就业指导中心 101', '大学生活动中心 301', '教三 102', '线上（“就业服务”内观看）'][at % 4]} |
| 岗位 | ${employer.posts.join('、')} |
| 人数 | ${6 + ((at * 7) % 25)} 人 |

**要求**：${employer.wants}。

${employer.extra}

${['有意者可先在“就业服务”投递，宣讲会后两天内安排面试。', '请带纸质简历一份，英文简历不作要求。', '不能到场的同学可以线上投递，截止{+14}。', '实习生名额另有五个，本科三年级可投。'][at % 4]}`,
}))

type Short = [
  by: string,
  title: string,
  en: string,
  first: string,
  second: string,
  picture?: string,
]

const shortAnnouncements: Short[] = [
  [
    'O17',
    '关于校园云盘存储扩容期间只读的通知',
    'Cloud drive read-only during extension',
    '因存储扩容，校园云盘将于{+0w} 23:00 至次日 6:00 设为只读，期间可以下载和预览，不能上传、移动和删除。',
    '正在编辑的在线文档会自动保存并在恢复后合并。请勿在此时段提交有截止时间的作业，任课教师已收到顺延提醒。',
    'server-room',
  ],
  [
    'O12',
    '关于第二食堂二楼错峰供餐的通知',
    'Later lunch on the upper floor of Canteen 2',
    '第二食堂二楼 3 至 6 号窗口午餐延长至 13:30，晚餐延长至 19:30，品种不少于八个。',
    '11:40—12:20 人流最集中，如不赶课，建议错开这四十分钟。实时人流可在“食堂”中查看。',
    'canteen',
  ],
  [
    'O03',
    '关于公布本学期期中教学检查结果的通知',
    'Results of the mid-term teaching review',
    '期中教学检查已结束，共收回学生问卷一万四千余份，教师自查表六百二十份，结果已推送至任课教师本人。',
    '意见集中的三十一门课程由学院约谈并制定改进计划；学生意见一律匿名呈现，不显示班级。',
    'lecture',
  ],
  [
    'O03',
    '关于大学英语四、六级考试报名的通知',
    'Registration for the national English tests',
    '报名时间为{+2} 10:00 至{+9} 17:00，逾期不补。听力频率调频 87.4 兆赫，请自备耳机和电池。',
    '残障考生可申请大字试卷、延时和单独考场，请在报名时勾选，学校教务处将于五日内联系。',
  ],
  [
    'O05',
    '关于家庭经济困难学生认定补充申请的通知',
    'Late applications for financial aid',
    '因家庭突发变故未赶上集中认定的同学，可随时提交补充申请，不受年度时间限制。',
    '认定以本人陈述和佐证材料为准，不要求公开演讲或比较，班级评议小组须签署保密承诺。',
    'books',
  ],
  [
    'O14',
    '关于南门施工期间人车分流的通告',
    'South Gate: changed ways during works',
    '南门入口道路自{+2}起封闭施工二十天，机动车改由东门、北门进出，行人从西侧临时通道通行。',
    '早高峰请尽量提前十分钟出门。送餐和快递车辆统一停放东门外临时区域。',
    'campus-road',
  ],
  [
    'O18',
    '关于主馆四层书库整体搬迁的公告',
    'Fourth-floor stacks are moving',
    '主馆四层外文书库将于{+4}至{+11}搬往东楼三层，期间外文图书可在线预约，次日在总服务台领取。',
    '搬迁完成后，排架顺序改为从左至右连续编号，馆员将在各入口引导三天。',
    'library',
  ],
  [
    'O20',
    '关于流感疫苗接种的通知',
    'Influenza vaccination',
    '即日起至{+30}，校医院预防保健科提供流感疫苗接种，学生半价，六十五岁以上教职工免费。',
    '发热、急性病期和对鸡蛋严重过敏者暂缓。接种后请在现场观察三十分钟，带一本书。',
    'clinic',
  ],
  [
    'O13',
    '关于开展实验室安全自查的通知',
    'Laboratory safety self-inspection',
    '请各实验室于{+10}前对照清单完成自查，重点为气瓶固定、冰箱标识、废液分类和夜间无人值守设备。',
    '自查发现的问题如实填写不扣分；检查组复查发现而自查未填的，才计入年度评价。',
    'lab',
  ],
  [
    'O04',
    '关于研究生学位论文开题集中安排的通知',
    'Thesis proposals: dates',
    '本学期开题集中安排在第十三至十五教学周，每场不少于三名专家，其中至少一名来自外学科组。',
    '开题不通过不是失败，允许三个月后重新开题一次。请在“毕业论文”中提交，附研究数据管理计划一页。',
    'seminar',
  ],
  [
    'O12',
    '关于兰苑空调集中清洗的通知',
    'Cleaning of air conditioners in Orchid Court',
    '兰苑各栋空调滤网将在{+3}至{+13}逐层清洗，工作人员着工装、持证、两人一组，宿舍须有人在场。',
    '若当天不便，可在“宿舍服务”中改约晚间或周末，不另收费。',
  ],
  [
    'O11',
    '关于申报下学期交换生项目的通知',
    'Exchange places for next term',
    '下学期交换生项目共五十四个名额，分布在二十三所学校，均免对方学费，其中十二个名额附生活补助。',
    '选拔看学业计划和面试，不设语言成绩一票否决；家庭经济困难学生可同时申请国际旅费资助。',
    'globe-class',
  ],
  [
    'O10',
    '关于学费缴纳与电子票据领取的通知',
    'Tuition fees and receipts',
    '尚未缴清本学年学费的同学，请于{+20}前通过“学费缴纳”办理；已申请助学贷款的，等待放款即可，不必先行垫付。',
    '票据自动生成，可在“电子票据”下载，报销、入账与纸质票据具有同等效力。',
  ],
  [
    'O17',
    '关于停用旧版 VPN 客户端的通知',
    'The old VPN client is being retired',
    '旧版 VPN 客户端将于{+25}停用，请提前下载新版。新版支持移动门户扫码登录，无需再记动态口令。',
    '仅访问数据库和教务系统的师生不必安装客户端，直接在门户中打开相应服务即可。',
    'server-room',
  ],
  [
    'O06',
    '关于“第二课堂”活动签到规则调整的通知',
    'New check-in rules for activities',
    '自下周起，活动签到改为身份码加地点校验，不再接受代签和截图。请假两次以内不影响评优。',
    '因故不能使用手机的同学可在现场登记，由组织者当天补录。',
  ],
  [
    'O09',
    '关于公开招聘专职辅导员的公告',
    'Open posts: full-time counsellors',
    '学校面向社会公开招聘专职辅导员八名，硕士及以上学历，性别不限，需住校值班每周不超过两晚。',
    '笔试考案例分析，不考记忆；面试安排一次与学生的真实谈话，由学生打分占三成。',
    'seminar',
  ],
  [
    'O07',
    '关于办理三方协议和报到手续的提示',
    'Employment contracts and registration',
    '三方协议改为线上签署，单位、学校、学生三方在“就业服务”中依次确认，平均两天办结。',
    '户口、档案去向可在毕业前修改一次，请与家人商量后填写。',
  ],
  [
    'O21',
    '关于体育场馆周末开放时间延长的通知',
    'Longer weekend hours in the sports halls',
    '体育馆、游泳馆周末开放时间延长至 22:00，羽毛球场每人每天限约一个小时，晚间优先学生。',
    '迟到十分钟自动释放场地，一个月内三次爽约暂停预约一周。',
    'badminton',
  ],
  [
    'O19',
    '关于档案查询线上预约的通知',
    'Archive requests by appointment',
    '学籍、成绩、录取名册等学生档案可线上申请电子件，工作时间内两小时出件，盖电子章。',
    '人事、会议类档案仍须到馆阅览，请提前一天预约。',
  ],
  [
    'O24',
    '关于招募朋辈倾听员的通知',
    'Wanted: peer listeners',
    '招募三十名朋辈倾听员，完成二十四学时培训后，每周值班两小时，负责陪伴和转介，不做诊断。',
    '倾听员自己也会有专人陪伴。随时可以退出，不需要理由。',
    'volunteers',
  ],
  [
    'O15',
    '关于教三楼加装电梯期间教学安排的通知',
    'Lift works in Teaching Building 3',
    '教三楼东侧加装电梯，{+5}起每晚 21:00 至次日 6:00 施工，白天不产生噪声作业。',
    '四层以上课程中有行动不便学生的，已全部调整到一层，无需另行申请。',
    'lecture-hall',
  ],
  [
    'O02',
    '关于规范使用学校名称和标识的通知',
    'Using the university’s name and crest',
    '各单位网站、海报和纪念品使用校名、校徽，请从宣传部主页下载矢量文件，不得拉伸、描边、改色。',
    '学生社团可使用“江岚大学××社”字样和专用的社团标识，不收费，备案即可。',
    'gate-dusk',
  ],
  [
    'O16',
    '关于开展年度内部审计的通知',
    'Annual internal audit',
    '本年度对四个单位和二十六个科研项目进行例行审计，名单按抽签产生，抽签过程有教职工代表见证。',
    '审计以帮助改进为主，能当场改正的不写入报告。请被审单位准备近三年的账目和合同。',
  ],
  [
    'O23',
    '关于校友返校日活动志愿者招募的通知',
    'Volunteers for the alumni day',
    '校友返校日需要志愿者一百二十名，承担引导、讲解和“代寄明信片”等工作，计入志愿服务时长。',
    '特别需要会方言、会修老相机和愿意陪老校友慢慢走的同学。',
    'graduation',
  ],
]

const shortHeadlines: Short[] = [
  [
    'O02',
    '学校部署年度重点工作“回头看”',
    'University reviews progress of the year’s main work',
    '{-1}，学校召开专题会议，逐项检查年初确定的三十二项重点工作。二十五项按期推进，五项滞后，两项因条件变化建议调整。',
    '会议要求滞后事项的责任单位在移动门户公开原因和新的时间表，“讲清楚为什么慢，比赶着说完成更重要”。',
  ],
  [
    'O11',
    '境外三所大学代表团来访，商谈联合培养',
    'Delegations from three universities visit',
    '{-1}，三所境外大学代表团先后到访，与研究生院、土木与水利学院、医学院商谈博士生联合培养。',
    '双方同意先从共同指导做起，每年各派不超过五名博士生，研究数据归学生本人和两校共有。',
    'globe-class',
  ],
  [
    'CS',
    '计算机学院学生在程序设计区域赛中获两金',
    'Two gold medals in regional programming contest',
    '在刚刚结束的程序设计竞赛区域赛中，计算机学院代表队获金奖两项、银奖一项。',
    '其中一支金奖队的三名队员都不是从高中开始竞赛的，队长说他们的优势是“会互相读对方的代码”。',
    'robot',
  ],
  [
    'O08',
    '全年科研到账经费公布，横向合作占比过半',
    'Research income published',
    '科研院公布年度到账科研经费六点八亿元，其中企业和地方委托占百分之五十三。',
    '谭文波提醒，经费不是成果，今年起学校年报将同时公布每个项目“解决了什么问题、没解决什么问题”。',
    'lab',
  ],
  [
    'O06',
    '三百六十名志愿者赴四县开展假期支教',
    '360 volunteers to teach in four counties',
    '{-0}，学校举行出征仪式，三百六十名志愿者将赴四县十九所学校，开设科学、阅读和音乐课程。',
    '与往年不同，每支队伍都承诺连续三年去同一所学校，“不做一次性的热闹”。',
    'train',
  ],
  [
    'O17',
    '移动门户升级：六个部门的流程并成一次提交',
    'Mobile portal: six offices, one form',
    '移动门户完成升级，困难认定、缓考、调宿等六个跨部门流程合并为一次提交，平均办理时间由九天缩短到三天。',
    '开发组由信息化中心和四名学生组成，他们先花两周坐在各服务窗口，记录被问得最多的一百个问题。',
    'server-room',
  ],
  [
    'O01',
    '学校第九届教职工代表大会第二次会议闭幕',
    'Staff congress closes',
    '大会审议了学校工作报告、预算报告和提案工作报告，表决通过《教职工申诉处理办法》。',
    '会议收到提案七十四件，立案五十一件，最多的是托幼、停车和实验室夜间安全。',
    'lecture-hall',
  ],
  [
    'LS',
    '岚山植物标本馆完成十二万份标本数字化',
    'Herbarium: 120,000 specimens online',
    '生命科学学院标本馆馆藏十二万三千份植物标本全部完成数字化，高清影像和采集记录向公众开放。',
    '其中最早的一份采于建校前三年，标签上写着：“雨，路滑，伞坏。”',
    'herbarium',
  ],
  [
    'MD',
    '医学院学生完成全市首例校园心脏骤停成功急救',
    'Students save a life on the track',
    '{-2}傍晚，一名教师在操场跑步时心脏骤停，路过的三名护理专业学生立即实施心肺复苏，校园除颤器在两分四十秒内送达。',
    '患者已转出重症监护室。学校将除颤器由二十六台增至四十台，并把急救课列入新生必修。',
    'clinic',
  ],
  [
    'O05',
    '新生“慢一点”入学教育获学生好评',
    'A slower start for first-years',
    '学校取消新生报到周的集中讲座，改为六周内分散进行的小班活动，每班配一名高年级“同路人”。',
    '问卷显示，认为“知道遇到问题该找谁”的新生由百分之五十八升至百分之八十九。',
    'gate-dusk',
  ],
  [
    'AD',
    '音乐系学生原创歌剧《岚》进入排练',
    'Student opera “Mist” goes into rehearsal',
    '由音乐系、中文系学生共同创作的四幕室内歌剧《岚》进入排练阶段，{+60}前后首演。',
    '歌剧讲述一名测绘员、一座山和一张总也画不完的地图，乐队只有十一件乐器。',
    'choir',
  ],
  [
    'EM',
    '江岚指数发布：小店活着，城市就活着',
    'A city index that counts small shops',
    '经济与管理学院发布“江岚小店指数”，跟踪全市二千三百家小店的开关与更替。',
    '研究发现，修补类小店密度每提高一成，周边居民步行出行比例上升三个百分点。',
    'campus-road',
  ],
  [
    'O12',
    '首个“零废弃食堂”运行一年，厨余减少六成',
    'Zero-waste dining hall: 60% less after a year',
    '第三食堂试行半份菜、称重计价和剩菜公示一年，人均厨余由九十二克降到三十六克。',
    '后勤处公布了没做好的一件事：可降解餐盒的回收率只有两成，下一步将改用押金饭盒。',
    'canteen',
  ],
  [
    'O18',
    '图书馆发布年度阅读报告：被借最多的仍是一本数学书',
    'Reading report: a mathematics book again on top',
    '去年全校借阅纸本图书四十一万册次，借阅最多的是《数学分析讲义》，续借最多的是《红楼梦》。',
    '夜间借阅增长最快的是诗集和菜谱。馆员说，这两类书都在期末前两周达到高峰。',
    'library',
  ],
  [
    'FL',
    '“城市外语角”走出校园，服务外来务工者子女',
    'Language corner leaves campus',
    '外国语学院与三个社区合作，每周六上午为外来务工者子女开设外语和普通话读书会，已持续两年。',
    '志愿者发现孩子们最想学的不是单词，而是怎样给远方的父母读一个完整的故事。',
    'books',
  ],
  [
    'O15',
    '老校门修缮完成，砖是从江边旧窑厂找来的',
    'Old gate restored with bricks from a disused kiln',
    '建校时的老校门修缮完成，重新向行人开放。修缮组在江边一处停产的旧窑厂找到了同批次的青砖。',
    '门额字迹只做加固，不重描。门洞内侧保留了几代学生刻下的身高线。',
    'gate-dusk',
  ],
]

const shortCampus: Short[] = [
  [
    'O21',
    '师生羽毛球混合团体赛落幕，教工队惜败',
    'Mixed badminton: staff lose narrowly',
    '为期两周的师生羽毛球混合团体赛{-0}结束，生命科学学院队以三比二险胜教工联队。',
    '决胜局打到二十九平。教工队主力、财务处的钟永良赛后说：“报销单能退回重填，球不能。”',
    'badminton',
  ],
  [
    'O06',
    '百团大战：六十八个社团招新，最受欢迎的是修补社',
    'Club fair: 68 societies, and the menders win',
    '本学期社团招新日吸引七千余人次，新成立的“修补社”报名人数居首，专门修衣服、雨伞和台灯。',
    '社长说，修好一把伞只要一根鱼线，但要先学会看它是怎么坏的。',
    'volunteers',
  ],
  [
    'O12',
    '竹苑晒被日：同一根绳子上的四百床被子',
    'Airing day in Bamboo Court',
    '后勤处在竹苑球场拉起十二根长绳，晴天的周日成了“晒被日”，四百多床被子一字排开。',
    '傍晚收被有志愿者看管，下雨时会有人先收再找主人。',
    'sunrise',
  ],
  [
    'AD',
    '学生用旧课桌做了一座图书漂流亭',
    'A book-exchange pavilion made of old desks',
    '环境设计系学生用淘汰的四十三张旧课桌，在二号教学楼旁搭起一座图书漂流亭，桌面的涂鸦原样保留。',
    '一张桌子上刻着“明天一定早起”，下面有不同笔迹的回复，一共十一条。',
    'books',
  ],
  [
    'PH',
    '天文社邀你看月全食，雨天就听他们讲',
    'Watch the eclipse; if it rains, listen',
    '天文爱好者协会将在操场架设六台望远镜，欢迎任何人来看，不用排队，一人一分钟。',
    '如果下雨，改在物理楼 106，由社长讲“古人怎么解释月亮不见了”。',
    'telescope',
  ],
  [
    'O18',
    '一张借书卡的旅行：从总馆到岚山小学',
    'A library card travels to a village school',
    '图书馆“流动书箱”本月到达岚山小学，一百二十本书将在那里停留两个月。',
    '孩子们给书箱写了回信，其中一封说：“下次可以多一点恐龙，少一点道理。”',
    'library',
  ],
  [
    'LS',
    '岚湖里的小䴙䴘孵出了三只',
    'Three little grebes on the lake',
    '岚湖东岸浮巢中的小䴙䴘孵出三只幼鸟，湖心步道临时绕行十天，请勿投喂和使用闪光灯。',
    '观察由学生志愿者轮流进行，每天的记录写在湖边的小黑板上。',
    'lake',
  ],
  [
    'O06',
    '话剧、相声与一台走调的钢琴：期中解压夜',
    'An evening to breathe after mid-terms',
    '大学生活动中心举办“期中解压夜”，节目单只有一条要求：不许准备超过一小时。',
    '压轴是一台走调的钢琴和一位愿意弹它的同学，全场跟着走调。',
    'stage',
  ],
  [
    'O23',
    '那年今日：校史馆里的一张全家福',
    'On this day: a photograph in the museum',
    '校史馆本月展出一张建校初期的合影，六十七人站在还没有屋顶的教学楼前。',
    '馆员花了两年，已辨认出其中五十九人，其余八位欢迎知情者来认。',
    'gate-dusk',
  ],
  [
    'O06',
    '雨天也跑：夜跑团的第一千公里',
    'A thousand kilometres in the rain',
    '由十四名同学发起的夜跑团两年来坚持每周三次、陪视障同学绕湖慢跑，累计里程达到一千公里。',
    '领跑员之间的绳子只有三十厘米，规则是：说清楚前面是什么，不说“没事”。',
    'sports-field',
  ],
  [
    'O12',
    '深夜的最后一笼包子留给谁',
    'Who gets the last steamer of the night',
    '第一食堂把每晚 22:30 的最后一笼包子留给图书馆和实验室的夜归人，凭身份码一元一个，不登记。',
    '一个月后统计，平均每晚四十三个，最多的一天是某门课期末大作业截止前夜。',
    'canteen',
  ],
  [
    'AD',
    '毕业设计的“失败展厅”：做砸了也值得看',
    'A gallery for what went wrong',
    '艺术与设计学院在美术馆二层开设失败展厅，二十六件未能按计划完成的作品与说明一起展出。',
    '观众留言最多的一条是：“原来不只我这样。”',
    'kiln',
  ],
  [
    'O05',
    '宿舍厨房试运行：四个人，一口锅',
    'A shared kitchen in the dormitory',
    '松苑试点共享厨房，八口电磁灶，需通过半小时的安全培训，预约制，用后自己清洁。',
    '开放两周，最受欢迎的菜是番茄炒蛋，争议最大的是先放番茄还是先放蛋。',
    'canteen',
  ],
]

const shortTeachers: Short[] = [
  [
    'O10',
    '关于年终经费结账时间的提醒',
    'Year-end closing of accounts',
    '本年度报销单据接收截止{+30}，冻结款项请在此之前完成支付；跨年项目经费自动结转，不必突击花钱。',
    '差旅、会议类请尽早，单据一次备齐的优先审核。',
  ],
  [
    'O08',
    '自然科学类基金申报动员会日程',
    'Funding applications: kick-off meetings',
    '申报动员分学部进行，共六场，每场安排两位评审经历丰富的教师讲“评委最先看哪里”。',
    '本校预审改为双盲，意见不打分，只写三条最该改的地方。',
    'lab',
  ],
  [
    'O25',
    '观课日：推开隔壁教室的门',
    'Open-door day for teaching',
    '{+5w}为观课日，四十一位教师开放课堂，任何教职工可以坐进后排，不做记录、不打分。',
    '观课后请给授课人写一张便条，只写一件你想带走的事。',
    'lecture',
  ],
  [
    'O09',
    '关于教职工年休假安排的说明',
    'Annual leave: what applies',
    '年休假可按半天使用，跨学期累计不超过五天，未休天数由单位主动提醒。',
    '负责人自己应当先休。连续两年未休满的单位，请书面说明原因。',
  ],
  [
    'O22',
    '教职工心理关爱计划：你可以匿名',
    'Support for staff: you may stay anonymous',
    '校工会与校外机构合作，为教职工提供每年六次免费心理咨询，预约由第三方受理，学校不掌握名单。',
    '家属可共享次数。需要紧急帮助时请拨打 8520。',
  ],
  [
    'O01',
    '关于精简会议和材料报送的若干措施',
    'Fewer meetings, fewer forms',
    '每周三设为“无会日”；同一数据一年内只填一次，由信息化中心从已有系统提取。',
    '任何单位收到重复填报要求，可以直接拒绝，并转告校长办公室。',
    'seminar',
  ],
]

const openings = ['', '', '各单位、各位师生：\n\n']
const closings = [
  '特此通知。',
  '感谢理解与配合。',
  '如有疑问，请在工作时间联系发布单位，联系方式见“通讯录”。',
  '意见和建议可通过“校长信箱”或发布单位邮箱反馈，三个工作日内答复。',
  '请相互转告。',
]
const byline: Record<string, string> = { headlines: '宣传部', campus: '学生记者站' }

/** Articles made of these facts and the column's template. */
function short(
  column: string,
  list: Short[],
  daysBefore: (at: number) => number,
): WrittenArticle[] {
  return list.map(([by, title, en, first, second, picture], at) => ({
    title,
    en,
    by,
    days: daysBefore(at),
    time: `${String(chance.int(8, 17)).padStart(2, '0')}:${String(chance.int(0, 59)).padStart(2, '0')}`,
    author: byline[column] ?? '',
    summary: first,
    picture,
    body:
      column === 'notices' || column === 'teachers'
        ? `${openings[at % openings.length]}${first}\n\n${second}\n\n${closings[at % closings.length]}`
        : `${first}\n\n${second}`,
  }))
}

export const composed = {
  academic: lectures,
  careers: careerTalks,
  notices: short(
    'notices',
    shortAnnouncements,
    (at) => [0, 1, 3, 4, 7, 9][at] ?? 6 + at * 5 - (at % 3),
  ),
  headlines: short(
    'headlines',
    shortHeadlines,
    (at) => [1, 3, 5, 8, 11][at] ?? 4 + at * 7 + (at % 4),
  ),
  campus: short('campus', shortCampus, (at) => [2, 4, 9, 14][at] ?? 8 + at * 8 - (at % 5)),
  teachers: short('teachers', shortTeachers, (at) => [1, 8, 21, 40, 61, 95][at] ?? 50),
}
