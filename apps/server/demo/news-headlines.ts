import type { WrittenArticle } from './news-article.ts'

/** 要闻 */
export const headlines: WrittenArticle[] = [
  {
    title: '学校召开本科教育教学工作推进会：把课堂还给问题',
    en: 'University holds meeting on undergraduate teaching: give the classroom back to questions',
    by: 'O02',
    days: 0,
    time: '07:50',
    author: '许文清',
    picture: 'lecture-hall',
    pinned: true,
    summary:
      '会议部署课程重构、小班研讨和过程考核三项工作，明年起新开的专业核心课不再以一次期末考试定成绩。',
    body: `
{-1}下午，学校在行政楼报告厅召开本科教育教学工作推进会。校长沈怀瑾出席并讲话，副校长顾衡主持会议，各学院院长、教学副院长、系主任和教师代表共一百六十余人参加。

教务处处长贺兰舟通报了本学期教学检查情况。检查组共听课四百一十二门次，访谈学生九十六人。学生评价较高的课程有三个共同点：每周都有需要动手的作业，作业都有反馈，反馈都在一周之内。问题也很集中：大班课互动不足，部分课程连续五年未更新案例，平时成绩区分度偏低。

## 三项工作

- **课程重构。** 各学院用一年时间对专业核心课逐门梳理，合并重复内容，删减陈旧内容，每门课公开一页纸的“课程说明”。
- **小班研讨。** 选课人数超过六十人的课程，每两周安排一次不超过二十人的研讨，由助教和任课教师共同组织。
- **过程考核。** 新开的专业核心课，期末考试占比不超过百分之五十，过程性成绩应在教学周内公布。

数学与统计学院院长杜若川、计算机学院教师周明远在会上作交流发言。周明远介绍了“数据结构”课程的做法：把期末大题拆成八次小项目，每次项目的评分标准提前公开，学生可以在截止前反复提交。“学生不是怕难，是怕不知道自己错在哪里。”

沈怀瑾在讲话中指出，教学改革最终要落到每一间教室、每一次作业。他要求教务处在{+14}前拿出助教经费和研讨教室的配套方案，学院不等不靠，先从愿意改的课做起。

> 课堂里最有价值的声音，是学生说“我不明白”。我们要做的，是让这句话在教室里说得出口、有人接得住。`,
    bodyEn: `
The university held a meeting on undergraduate teaching in the lecture hall of the Administration Building on the afternoon of {-1e}. President Shen Huaijin spoke; Vice-President Gu Heng took the chair. Some 160 deans, heads of department and teachers attended.

He Lanzhou, the Registrar, reported on this term’s review of teaching: 412 classes were visited and 96 students interviewed. Courses that students rate highly have three things in common: practical work every week, feedback on all of it, and feedback within a week.

## Three lines of work

- **Courses.** Over the next year every core course is to be reviewed, duplicated and dated material removed, and a one-page course statement published.
- **Small groups.** Courses with more than sixty students will hold a seminar of at most twenty every other week.
- **Continuous assessment.** In new core courses the final examination will count for no more than half the mark.

The Registrar’s Office will present a plan for teaching assistants and seminar rooms by {+14e}.`,
  },
  {
    title: '江岚流域水生态联合观测站启用，首批数据向公众开放',
    en: 'River basin observatory opens and publishes its first data',
    by: 'R02',
    days: 1,
    time: '16:30',
    author: '温雨桥',
    picture: 'lake',
    summary:
      '由学校与三家单位共建的联合观测站在岚湖西岸启用，二十七个点位的水温、溶氧和浊度数据每十分钟更新一次。',
    body: `
{-0w}上午，江岚流域水生态联合观测站在岚湖西岸启用。观测站由我校江岚流域生态研究中心牵头，联合市水务局、市气象局和下游两县环境监测站共同建设，历时三年。

观测站布设二十七个在线监测点，覆盖上游源头、城区河段和入湖口，水温、溶解氧、浊度、叶绿素和水位数据每十分钟更新一次。与一般的监测网不同，它同时记录岸带植被和底栖生物的季节变化，夜间由红外相机记录鸟类和小型兽类的活动。

## 数据向所有人开放

首批十八个月的数据当天在学校机构知识库公开，任何人无需申请即可下载，注明来源即可使用。研究中心主任秦漱石说，过去同一条河的数据分散在四家单位，格式不同、时间不齐，“我们花在对齐数据上的时间，比分析它的时间还多”。

观测站还在岸边建了一间开放教室，可容纳四十人。生命科学学院的野外生态学实习、附属中学的科学课从下月起将在这里进行。公众参观时间为每月第一、第三个周六，请提前在“入校参观”中预约。`,
    bodyEn: `
The joint observatory of the Jianglan river basin opened on the west shore of Lan Lake on the morning of {-0e}. Built over three years, it is led by the university’s River Basin Ecology Centre together with the city’s water and weather services and two county monitoring stations.

Twenty-seven stations measure temperature, dissolved oxygen, turbidity, chlorophyll and level every ten minutes, from the headwaters to the lake. Unlike an ordinary network it also records vegetation and bottom-dwelling life along the banks.

The first eighteen months of data were published the same day in the university repository. Anyone may use them with attribution. The observatory is open to the public on the first and third Saturday of each month; please book under “Visit the campus”.`,
  },
  {
    title: '我校学生团队获全国大学生机器人设计竞赛一等奖',
    en: 'Students win first prize in the national robot design contest',
    by: 'ME',
    days: 2,
    time: '18:05',
    author: '机械学院 梁晚舟',
    picture: 'robot',
    summary: '由机器人创新实验社五名本科生设计的“攀岩者”越障机器人，在四十六支决赛队伍中列第二名。',
    body: `
{-1}，第十四届全国大学生机器人设计竞赛决赛落幕。我校机器人创新实验社的参赛作品“攀岩者”获一等奖，在四十六支决赛队伍中列第二名，这是我校在该项赛事中的最好成绩。

“攀岩者”是一台六足越障机器人，重九点六公斤，可以翻越三十五厘米高的台阶，在坡度四十度的碎石坡面上行走。它的每条腿末端装有一枚自制的触觉传感器，落脚前先“试”一下地面，站不稳就换个位置。

## 第四个版本

队长、机器人2301班的程奕川说，现在看到的是第四个版本。前三个版本分别败在电机过热、腿部共振和一颗松掉的螺丝上。“比赛前两周，我们把整台机器拆了重装，给每一颗螺丝都画了标记线，每天早上第一件事就是检查标记有没有错开。”

指导教师陆振宏认为，这支队伍最可贵的是记录完整。从第一次开会到决赛，他们写了二百三十一页实验日志，失败的实验同样写明条件和原因。这些日志将整理成一门创新实践课的教材。

团队成员：程奕川、吴雨桐、邓浩铭（机器人2301），何知言（智能2301），郑晓禾（视传2401）。作品将于{+6w}至{+12w}在工程训练中心一楼展出，展出期间每天下午三点演示。`,
    bodyEn: `
“Climber”, a six-legged robot built by five undergraduates of the Robotics Workshop, has won a first prize in the final of the 14th national robot design contest, placing second among forty-six teams. It is the university’s best result so far.

The machine weighs 9.6 kg, climbs steps of 35 cm and walks on scree at forty degrees. A home-made touch sensor at the end of each leg tries the ground before putting weight on it.

“This is version four,” says Cheng Yichuan, the captain. The first three failed through overheated motors, resonance in the legs, and one loose screw. The team kept 231 pages of notes, failed experiments included, which will become a textbook for a course in practical innovation.

Climber is on show on the ground floor of the Engineering Training Centre from {+6e} to {+12e}, with a demonstration at three every afternoon.`,
  },
  {
    title: '新图书馆东楼试开放，二十四小时自习区同步启用',
    en: 'Library’s new east wing opens on trial, with a study area open round the clock',
    by: 'O18',
    days: 4,
    time: '09:10',
    author: '图书馆 柳静宁',
    picture: 'library',
    summary: '东楼新增座位一千二百个、研讨间三十二间，一层自习区全天开放，凭校园卡刷卡进入。',
    body: `
经过两年零四个月建设，图书馆东楼于{-0w}起试开放。东楼建筑面积一万九千平方米，新增阅览座位一千二百个、研讨间三十二间、录音间四间。

一层为二十四小时自习区，设座位二百六十个，全天开放，凭校园卡或移动门户身份码进入，无需预约；二至四层为开架阅览区，社科、艺术和外文图书已从主馆迁入；五层为研讨与创作空间，研讨间须提前预约，迟到十五分钟自动释放。

| 区域 | 楼层 | 开放时间 | 是否预约 |
| 全天自习区 | 一层 | 全天 | 否 |
| 开架阅览区 | 二至四层 | 7:00—22:30 | 座位预约 |
| 研讨间 | 五层 | 8:00—22:00 | 是 |
| 录音间 | 五层 | 9:00—21:00 | 是 |

试开放期间，空调、电梯和照明仍在调试，如遇不适请联系一层服务台。馆方在各层设置了意见本，{+30}前收到的意见将逐条答复并公布在图书馆主页。

“我们数过，期末的时候主馆一天要‘赶走’一千四百人。”馆长孟书慧说，“现在至少不用赶了。”`,
    bodyEn: `
The library’s east wing opened on trial on {-0e} after two years and four months of building. It adds 1,200 seats, thirty-two group rooms and four recording booths.

The ground floor is a study area open day and night; enter with your campus card or the identity code in the mobile portal, no booking needed. Floors two to four hold open shelves: social sciences, art and foreign books have moved here from the main building. Group rooms on floor five must be booked and are released after fifteen minutes.

Air conditioning, lifts and lighting are still being adjusted. Comment books lie on every floor; remarks received before {+30e} will each be answered on the library’s pages.`,
  },
  {
    title: '沈怀瑾校长与新生代表座谈：大学四年最该学会什么',
    en: 'President meets first-year students: what four years are for',
    by: 'O02',
    days: 6,
    time: '20:15',
    author: '许文清',
    picture: 'seminar',
    summary: '来自十四个学院的三十名新生与校长围坐两个半小时，话题从食堂排队一直聊到如何面对失败。',
    body: `
{-1}晚，校长沈怀瑾在大学生活动中心与三十名新生代表座谈。没有主席台，没有发言稿，椅子围成两圈，原定一个半小时的座谈持续了两个半小时。

第一个问题来自数学2601班的韦沐宁：“我高中一直是第一名，来了以后期中考试排在中间，不知道该怎么看自己。”沈怀瑾说，他读大学时第一次理论力学考了五十四分。“那张卷子我现在还留着。它告诉我，从前我会的是做题，不是力学。”

关于食堂高峰排队、宿舍热水时段、校车班次等具体问题，后勤处、学生处负责人当场作了说明。其中三件事当场定下来：竹苑热水供应延长到二十三时三十分；晚间校车在二十二时四十分加开一班；第二食堂二楼窗口错峰延长到十三时三十分。以上措施自{+2w}起执行。

临床2601班的次仁卓玛问，大学四年最该学会什么。沈怀瑾想了一会儿说：

> 学会把一个问题想到底，学会和不同意你的人一起做事，学会在没有人打分的时候知道自己做得好不好。

座谈会记录将整理公开。学校每月最后一个周四晚上安排一次校领导与学生的圆桌，报名入口在“第二课堂”。`,
    bodyEn: `
Thirty first-year students from all fourteen schools sat down with President Shen Huaijin in the Student Centre on the evening of {-1e}. There was no platform and no script; the ninety minutes planned became two and a half hours.

“I was always first at school; now I am in the middle,” said one student of mathematics. “I failed my first paper in mechanics,” the President answered. “I still have it. It told me that I had been good at exercises, not at mechanics.”

Three practical matters were settled on the spot and apply from {+2e}: hot water in Bamboo Court until 23:30, an extra shuttle at 22:40, and longer lunch hours on the upper floor of Canteen 2.

A round table with the university’s leadership is held on the last Thursday evening of every month. Sign up under “Second classroom”.`,
  },
  {
    title: '学校与江岚市签署共建科技创新走廊协议',
    en: 'University and city sign agreement on an innovation corridor',
    by: 'O01',
    days: 9,
    time: '17:20',
    author: '校办综合科',
    picture: 'bridge',
    summary:
      '双方将在跨江大桥北岸共建四个研究平台和一处中试基地，学校以技术和人才投入，不参与商业开发。',
    body: `
{-0w}，江岚大学与江岚市人民政府签署协议，共同建设北岸科技创新走廊。市长袁立诚、校长沈怀瑾出席签约仪式并见证签约。

根据协议，双方将用五年时间在跨江大桥北岸建设先进材料、智能装备、生物制造、水环境四个研究平台和一处中试基地。市政府负责用地、厂房和前三年运行经费，学校负责派出研究团队、培养工程博士和开放大型仪器。

## 先解决“最后一公里”

科研院院长谭文波介绍，学校近五年授权发明专利一千一百余项，真正走到产品的不到百分之七，多数停在“实验室做得出、车间做不稳”这一步。中试基地要解决的正是这个问题。

协议明确，学校不参与商业开发；师生在走廊内形成的知识产权归属按学校现行办法执行；收益的百分之七十归成果完成人。首批入驻的十一个团队已完成论证，名单见科研院主页。

走廊的学生实习岗位将从下学期起进入“就业服务”，首批提供一百四十个。`,
  },
  {
    title: '数学与统计学院教师杜若川当选国际数理统计学会会士',
    en: 'Du Ruochuan elected fellow of an international statistics society',
    by: 'MA',
    days: 12,
    time: '10:40',
    author: '数统学院 苏婉晴',
    picture: 'books',
    summary: '学会评价其在缺失数据推断方面的工作“清晰、可用、经得起检验”。',
    body: `
近日，国际数理统计学会公布本年度新当选会士名单，我校数学与统计学院教授杜若川当选。学会在评语中称，其在缺失数据推断方面的工作“清晰、可用、经得起检验”。

杜若川一九九八年毕业于我校数学系，二〇〇六年回校任教。他的研究源于一份不完整的水文记录：上世纪六十年代，江岚江三个水文站因洪水中断观测十九个月。如何在缺失并非随机的情况下作出可靠推断，成为他此后近二十年的主题。

他提出的分层加权方法被收入多个统计软件，最常见的用途却不是水文，而是医院的随访研究。“病人不来复诊，往往是因为病好了，或者病重了。把不来的人当作没有这个人，结论就会偏。”

杜若川每学期为本科一年级讲授“概率论基础”，已连续十七年。他的课没有幻灯片，只有三块黑板。课程助教说，他批改作业用绿笔，因为“红色看起来像错误，绿色看起来像建议”。`,
  },
  {
    title: '我校举行消防综合演练，四千余名师生六分钟完成疏散',
    en: 'Fire drill: more than 4,000 evacuated in six minutes',
    by: 'O14',
    days: 15,
    time: '15:30',
    author: '保卫处',
    picture: 'campus-road',
    summary: '演练同时在三栋教学楼、两栋宿舍楼和一间化学实验室进行，暴露的九个问题已列出整改时限。',
    body: `
{-0w}上午十时十二分，教一楼二层弱电间“起火”，报警信号同时传至消防控制室和移动门户。六分零八秒后，三栋教学楼、两栋宿舍楼共四千二百三十七名师生全部疏散到指定地点，比去年快一分四十秒。

与往年提前通知不同，此次演练只公布日期，不公布时间和地点。化学楼三〇六实验室同步进行危化品泄漏处置，两名“被困”学生由微型消防站队员在四分钟内救出。

演练结束后，保卫处联合后勤处、教务处进行复盘，列出九个问题：

- 教一楼西侧安全出口外停放电动自行车二十三辆；
- 兰苑三栋四层广播音量不足；
- 部分教师先整理电脑再组织学生离开；
- 化学楼应急淋浴水压偏低；
- 两处集合点在地图上的位置与现场标牌不一致。

以上五项须在{+7}前整改完毕，其余四项须在{+30}前完成。整改结果将在校园安全栏目公布，欢迎通过“校园安全举报”继续反映问题。`,
  },
  {
    title: '跨江联合课堂开课：一门课，两所学校，三个时区',
    en: 'One course, two universities, three time zones',
    by: 'O11',
    days: 18,
    time: '11:00',
    author: '国际合作处 顾馨怡',
    picture: 'globe-class',
    summary:
      '“河流与城市”由江岚大学与境外两地教师共同讲授，四十二名学生混合编组完成一座虚拟城市的防洪方案。',
    body: `
{-1}晚七时，土木楼智慧教室的屏幕上同时出现了清晨和正午。由我校土木与水利学院发起的跨校联合课程“河流与城市”正式开课，四十二名学生来自三地，最远的两组之间相差十三个小时。

课程为期十周，每周一次同步研讨、一次异步讨论。学生六人一组，每组至少来自两地，共同为一座虚拟的沿江城市制定防洪方案：先用同一份水文数据，再加入各自城市的真实约束——老街不能拆、码头不能停、预算只有一半。

主讲教师范学宏说，设计这门课的初衷是让学生意识到，工程问题没有标准答案，只有在具体地方的答案。“同样一道堤，有的组先问能挡多大的水，有的组先问会挡住谁的路。”

考核不设考试。期末每组提交一份不超过十二页的方案和一段三分钟的视频，由三地居民代表投票选出“我愿意住在这里”的城市。

课程学分由各校分别认定。下学期的名额将于第十六教学周在“选课系统”开放，面向全校本科三、四年级和研究生。`,
    bodyEn: `
At seven in the evening on {-1e} the screen of the seminar room in the Civil Engineering Building showed early morning and high noon at once: “Rivers and Cities”, a course taught together with two universities abroad, had begun. Its forty-two students are in three places, at most thirteen hours apart.

For ten weeks groups of six, each from at least two places, plan flood protection for an imagined riverside city. They begin with the same data and then meet real constraints: an old street that must stay, a port that cannot close, half the money.

“There is no standard answer in engineering,” says Fan Xuehong, who leads the course. “There is an answer for a place.” There is no examination; residents of the three cities vote for the plan they would like to live in.`,
  },
  {
    title: '学校公布年度预算执行情况，教学投入连续五年增长',
    en: 'Budget report: spending on teaching grows for the fifth year',
    by: 'O10',
    days: 23,
    time: '09:00',
    author: '财务处',
    summary:
      '教学支出占比升至百分之四十一点六，公用经费压减百分之八，学生可在“信息公开”查阅全部附表。',
    body: `
经学校教职工代表大会常设主席团审议，{year-1}年度预算执行情况于{-0}公布。全年总收入二十八点四亿元，总支出二十七点九亿元，收支基本平衡，略有结余。

| 支出类别 | 占比 | 比上年 |
| 教学 | 41.6% | +1.9 个百分点 |
| 科研 | 27.3% | +0.4 个百分点 |
| 学生资助 | 9.8% | +0.6 个百分点 |
| 后勤保障 | 12.1% | −0.9 个百分点 |
| 行政公用 | 5.2% | −1.2 个百分点 |
| 其他 | 4.0% | −0.8 个百分点 |

教学支出增长主要用于三个方面：研讨教室改造六十二间，本科实验设备更新，研究生助教津贴标准由每月八百元提高到一千二百元。公用经费压减百分之八，其中会议费、接待费降幅最大。

财务处处长韩亚敏表示，公布预算不是为了“好看”，而是为了让师生知道钱花在哪里、还缺在哪里。全部附表可在“信息公开”中下载。对附表内容有疑问的，可于{+20}前发邮件至 budget@jianglan.example，财务处将在十个工作日内答复。`,
  },
  {
    title: '一台八十年前的天文望远镜，重新看见了土星',
    en: 'An eighty-year-old telescope sees Saturn again',
    by: 'PH',
    days: 27,
    time: '19:40',
    author: '物理学院 姚思远',
    picture: 'telescope',
    summary: '由建校初期教师手工磨制的折射望远镜修复完成，今后每逢晴好的周五晚向公众开放。',
    body: `
{-2}晚八时二十分，岚山顶的老观象台里安静了几秒，随后有人轻轻“啊”了一声——修复后的十五厘米折射望远镜，第一次对准了土星。

这台望远镜由建校初期的三位物理教师用两年时间手工磨制，镜筒用的是报废的船用铜管。一九七四年后停用，镜片霉变，转仪钟锈死。三年前，物理学院与校史馆决定修复它，原则是“能留的都留，换掉的都记”。

修复组共更换零件四十一个，保留原件二百零七个。最难的是转仪钟的一只蜗轮，图纸已经遗失，天文学系本科生贺景辰根据磨损痕迹反推齿形，试了六次才成功。

今后，老观象台在每逢晴好的周五十九时三十分至二十一时三十分开放，每晚四批，每批十五人，在“入校参观”中预约。因山路狭窄，请勿驾车上山。`,
    bodyEn: `
At twenty past eight on the evening of {-2e} the old observatory on Lanshan fell silent for a moment, and then somebody said “oh”: the restored fifteen-centimetre refractor had found Saturn.

Three physicists ground its lens by hand in the university’s first years; the tube is a scrapped ship’s pipe. It had stood idle since 1974. The rule of the three-year restoration was “keep what can be kept, record what is replaced”: 41 parts are new, 207 are original.

The observatory opens on clear Fridays from 19:30 to 21:30, in four groups of fifteen. Please book under “Visit the campus” and do not drive up: the road is narrow.`,
  },
  {
    title: '校医院完成迁建，新增儿科与康复门诊',
    en: 'University Hospital moves and adds paediatrics and rehabilitation',
    by: 'O20',
    days: 33,
    time: '08:30',
    author: '校医院办公室',
    picture: 'clinic',
    summary: '新址位于北门东侧，门诊时间延长至二十时，检验结果可在移动门户查询。',
    body: `
校医院迁建工程竣工，{+3w}起在新址开诊。新址位于北门东侧，门诊楼共四层，原址同时停诊，发热门诊位置不变。

新院新增儿科和康复门诊，口腔科由两台牙椅增至六台，门诊时间由十七时延长至二十时，急诊全天。检验、影像结果在报告发出后自动推送到移动门户，不必再到窗口领取。

## 就诊须知

- 请优先在“校医院挂号”中预约，预约病人按时段就诊；
- 学生就诊请出示校园卡，转诊手续在二层医保窗口办理，当场办结；
- 慢性病长期处方由每次两周延长至最长十二周；
- 开诊首周可能排队较长，非急症建议错开上午九时至十时三十分。

康复门诊每周一、三、五开放，由医学院护理学系与校医院共同承担，前三个月免收评估费。咨询电话：8120。`,
  },
  {
    title: '学校表彰二十位“最美课堂”教师，学生写下四千条推荐语',
    en: 'Twenty teachers honoured by four thousand students’ words',
    by: 'O25',
    days: 41,
    time: '16:10',
    author: '教师发展中心',
    picture: 'lecture',
    summary: '评选不看论文和职称，只看学生的推荐语和随堂听课，其中最年轻的获奖教师入职刚满两年。',
    body: `
{-1}，学校在音乐厅举行第六届“最美课堂”表彰会，二十位教师获奖。评选不看论文、项目和职称，只看两样东西：学生写的推荐语，以及不打招呼的随堂听课。

今年共收到推荐语四千零三十七条，平均每条九十二个字。评审组把它们打印出来，挂满了教师发展中心的走廊。出现最多的词不是“生动”或“有趣”，而是“认真”“等”和“记得”——“他等我想出来”“她记得我上次问的问题”。

获奖教师中年龄最大的是六十二岁的大学物理实验中心教师唐德生，最小的是入职刚满两年的外国语学院教师叶若彤。唐德生在发言中说，做了三十多年实验课，最怕学生第一次就做对。“一次做对，说明仪器好；做错了自己找出来，才说明学会了。”

获奖者每人获得一项不算奢侈的奖励：下学期减少一门课的工作量，用来听别人的课。`,
  },
  {
    title: '岚山校区绿道贯通，师生可步行二十五分钟到江边',
    en: 'A green path now links the campus with the river',
    by: 'O15',
    days: 52,
    time: '10:00',
    author: '基建处',
    picture: 'hills',
    summary: '全长二点三公里的绿道串起校园、岚山公园和江岸步道，全程无台阶，夜间照明至二十三时。',
    body: `
连接岚山校区与江岸步道的绿道于{-0w}全线贯通。绿道全长二点三公里，从学校东门出发，沿旧水渠穿过岚山公园，在跨江大桥下与江岸步道相接，步行约二十五分钟。

绿道全程无台阶，最大坡度百分之五，轮椅和婴儿车可以通行。路面采用透水材料，沿线保留原有乔木三百一十二棵，为避让一棵两百多年的樟树，设计者让道路拐了一个弯。

夜间照明开放至二十三时，灯具高度不超过九十厘米，光线只照路面。生命科学学院的两栖动物调查显示，旧水渠一带每年有三种蛙类繁殖，因此在繁殖期内有一段四百米的路会关闭夜间照明，请携带手电或绕行。

绿道禁止机动车和电动自行车通行。意见和故障请通过“绿化与环境”随手拍反映。`,
  },
]
