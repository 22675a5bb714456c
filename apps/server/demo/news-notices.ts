import type { WrittenArticle } from './news-article.ts'

/** 通知公告 */
export const announcements: WrittenArticle[] = [
  {
    title: '关于做好下学期本科生选课工作的通知',
    en: 'Course selection for next term',
    by: 'O03',
    days: 0,
    time: '08:00',
    author: '教务处教学运行科',
    pinned: true,
    summary: '选课分预选、正选、补退选三轮，首轮预选明日上午十点开放，先选与后选同等机会。',
    body: `
各学院、全体本科生：

下学期本科生选课即将开始，现将有关事项通知如下。

## 一、时间安排

| 轮次 | 时间 | 规则 |
| 预选 | {+1} 10:00—{+5} 16:00 | 不限名额，结束后抽签 |
| 正选 | {+9} 10:00—{+12} 16:00 | 有余量的课程先到先得 |
| 补退选 | 下学期第一、二教学周 | 可退可补，须经学院确认 |

预选阶段**先选与后选机会相同**，不必在开放时刻集中登录。

## 二、选课要求

- 每学期选课总学分不低于十五、不高于三十；确需超出的，由学生申请、导师同意、学院审批。
- 重修课程优先安排，与正常课程时间冲突的可申请部分免听，须在补退选结束前办理。
- 公共选修课每人每学期限选两门，体育课须与本人性别、项目组别一致。
- 尚未完成本学期教学评价的学生，系统将提示先行评价，但不影响选课。

## 三、注意事项

选课以系统最终结果为准，请在每轮结束后核对课表。选课期间系统将保持全时开放；如遇登录异常，请保留提示页面截图并联系信息化服务台（8585）。选课咨询：教一 105，电话 8103。

特此通知。`,
    bodyEn: `
To all undergraduates:

Course selection for next term takes place in three rounds.

| Round | Period | Rule |
| First choice | {+1e} 10:00 to {+5e} 16:00 | No limit; places are drawn by lot afterwards |
| Main round | {+9e} 10:00 to {+12e} 16:00 | Remaining places, first come, first served |
| Add and drop | Teaching weeks 1 and 2 of next term | With your school’s confirmation |

In the first round **early and late choices have the same chance**: there is no need to sign in at the opening minute.

Take at least fifteen and at most thirty credits. Repeated courses have priority. Two general electives at most may be chosen in a term.

Please check your timetable after each round. Questions: Teaching Building 1, room 105, telephone 8103; trouble with signing in: 8585.`,
  },
  {
    title: '关于开展国家奖学金、校级奖学金评选结果公示的公告',
    en: 'Scholarship results: period for objections',
    by: 'O05',
    days: 0,
    time: '09:30',
    author: '学生处资助管理中心',
    picture: 'books',
    summary: '本年度拟获奖学生共一千六百八十二人，公示期五个工作日，异议须实名提出。',
    body: `
根据《江岚大学本科生奖学金评审办法》，经学生申请、班级评议、学院评审、学校审定，拟评定国家奖学金三十六人、国家励志奖学金四百一十二人、校级奖学金一千二百三十四人。名单见“奖学金申请—结果公示”，登录后可查看本学院全部名单。

公示时间：{+0}—{+6}。公示期间如有异议，请以书面形式**实名**向学生处资助管理中心反映，并提供事实依据。学校对反映人信息严格保密，在五个工作日内核实并答复。

材料被退回补充的同学，请于当日 18:00 前在“待办”中上传，逾期系统将不再受理。常见退回原因有三类：成绩证明未带电子签章、获奖证书扫描不清、家庭情况说明缺少签名。

奖学金预计于公示结束后第三周发放至本人在财务处登记的银行卡，请在“学费缴纳—银行卡维护”中核对卡号。

联系方式：学生事务大厅 6 号窗口，电话 8305，邮箱 aid@jianglan.example。`,
    bodyEn: `
After application, class review and decision by schools and university, 36 national scholarships, 412 national encouragement scholarships and 1,234 university scholarships are to be awarded. The lists are under “Scholarships”.

Objections may be raised in writing and under one’s own name with the Student Financial Aid Centre from {+0e} to {+6e}. The names of those who write are kept confidential; answers follow within five working days.

If your documents were returned, please complete them today before 18:00 under “To do”. Common reasons: a transcript without electronic seal, an unreadable scan, a missing signature.`,
  },
  {
    title: '关于岚山校区部分区域计划停水的通知',
    en: 'Planned interruption of water supply on Lanshan campus',
    by: 'O12',
    days: 1,
    time: '15:00',
    author: '后勤处水电服务中心',
    summary: '因更换供水主阀，兰苑、竹苑及第二食堂将停水约五小时，期间提供临时取水点。',
    body: `
因更换岚山校区东侧供水主阀门，定于{+2w} 23:00 至次日 4:00 对下列区域停水，请提前做好储水准备。

- 兰苑 1—6 栋、竹苑 1—6 栋；
- 第二食堂、大学生活动中心；
- 体育馆（游泳馆当晚 20:30 提前清场）。

停水期间，兰苑 3 栋南侧和竹苑值班室前设临时取水点。恢复供水初期可能出现短时水色发黄，放水两三分钟即可恢复正常，请勿立即使用热水器。

**请离开宿舍前务必确认水龙头已关闭。** 上次停水后，两间宿舍因忘关龙头漏水至楼下。

抢修与咨询电话：8912（二十四小时）。`,
    bodyEn: `
While a main valve is replaced, the following will be without water from 23:00 on {+2we} to 4:00 the next morning:

- Orchid Court 1 to 6 and Bamboo Court 1 to 6;
- Canteen 2 and the Student Centre;
- the Sports Hall (the pool closes at 20:30).

Temporary taps stand south of Orchid Court 3 and in front of the Bamboo Court duty room. Water may be yellowish at first: let it run for two or three minutes. **Please check that your taps are closed before you leave.** Telephone 8912, day and night.`,
  },
  {
    title: '关于期末考试时间安排及考场纪律的通知',
    en: 'Final examinations: timetable and rules',
    by: 'O03',
    days: 2,
    time: '10:20',
    author: '教务处考务与学籍科',
    picture: 'lecture-hall',
    summary: '期末考试安排在第十九、二十教学周，考生可在“考试安排”查询时间、考场和座位号。',
    body: `
本学期期末考试安排在第十九、二十教学周进行。公共课由教务处统一安排，专业课由开课学院安排。现将有关事项通知如下。

## 查询与核对

考试时间、考场和座位号已在“考试安排”中公布。请同学们于{+10}前核对，发现时间冲突的，向所在学院教务办公室提出，由学院统一报教务处调整。考试前三天起不再变更。

## 入场要求

1. 提前二十分钟到达考场，凭校园卡或身份证入场；开考三十分钟后不得入场，开考三十分钟内不得交卷离场。
2. 手机、智能手表等须关闭并放入考场前方的收纳袋，**无论是否使用，随身携带即按违纪处理**。
3. 允许使用计算器的课程，只可使用无存储、无编程功能的型号。

## 缓考与照顾

因病或其他不可抗力不能参加考试的，须在考前提出缓考申请；急诊可在考后两个工作日内补办。有视力、书写等特殊需要的同学，请在{+14}前向学院申请延时、大字试卷或单独考场，学校均予安排。

考务电话：8103。愿每一位同学从容应考。`,
    bodyEn: `
Final examinations take place in teaching weeks 19 and 20. Time, room and seat are shown under “Exam timetable”. Please check them before {+10e} and report clashes to your school’s teaching office; nothing changes in the last three days.

Be there twenty minutes early with your campus card or identity card. Nobody is admitted after the first thirty minutes, and nobody may leave before they are over. Telephones and smart watches go, switched off, into the bags at the front: **carrying one is an offence even if it is not used**.

If you are ill, apply for a deferred examination beforehand; emergencies within two working days. Students who need more time, large print or a separate room should apply before {+14e}; all such requests are met.`,
  },
  {
    title: '关于启用校园网统一认证新页面的通知',
    en: 'New sign-in page for the campus network',
    by: 'O17',
    days: 3,
    time: '17:00',
    author: '信息化中心网络运行部',
    picture: 'server-room',
    summary: '新页面支持中英文和大字号，旧地址保留三十天；学校不会以任何理由索要您的密码。',
    body: `
为改善使用体验，校园网统一认证新页面将于{+4w} 6:00 启用。新页面支持中英文、大字号和高对比度，使用原有账号密码登录，无需重新注册。

旧地址保留三十天后停用。若您的路由器、打印机或实验设备保存了旧的认证地址，请在“校园网自助—设备”中更新；无屏幕设备可登记物理地址免认证，每人限五台。

## 谨防假冒

近期有师生收到“邮箱即将停用，请点击验证”之类的邮件，均为诈骗。请记住三点：

- 学校登录页面的地址只以 **jianglan.example** 结尾；
- 信息化中心**不会**通过邮件、电话或即时消息索要密码和验证码；
- 一旦误填，请立即修改密码并拨打 8585。

切换期间如无法上网，可先使用访客网络 JLU-Guest，凭手机号登录，每次四小时。`,
    bodyEn: `
The new sign-in page of the campus network goes live at 6:00 on {+4e}. It speaks Chinese and English, offers large type and high contrast, and takes your present account and password.

The old address stays for thirty days. Please change it in routers, printers and laboratory devices; devices without a screen can be registered by hardware address, five for each person.

Beware of imitations: our pages end in **jianglan.example**, and the IT Centre **never** asks for a password or a code by mail, telephone or message. If you did give yours away, change it at once and call 8585.`,
  },
  {
    title: '关于组织申报大学生创新训练计划项目的通知',
    en: 'Call: student innovation training projects',
    by: 'O03',
    days: 5,
    time: '11:10',
    author: '教务处实践教学科',
    picture: 'lab',
    summary: '项目分重点、一般两类，周期一年，鼓励跨学院组队，每队三至五人，最高资助两万元。',
    body: `
各学院：

新一批大学生创新训练计划项目即日起申报，全日制本科二、三年级学生均可参加，一年级学生可作为成员加入。

- **团队**：三至五人，负责人限主持一项；跨学院组队的，同等条件下优先。
- **类别**：重点项目资助一万五千至两万元，一般项目资助三千至八千元，周期均为一年。
- **选题**：鼓励来自真实问题的题目，包括校园管理中的具体问题。后勤处、图书馆、校医院提供了二十三个“揭榜”题目，见平台首页。

## 流程

1. {+20} 16:00 前，学生在“竞赛与创新训练”提交申请书；
2. {+27}前，学院完成评审并排序；
3. 学校组织答辩，重点项目逐项答辩，每项八分钟。

申请书不超过六页，不需要装帧。评审关注三件事：问题是否清楚，方法是否可行，失败了打算怎么办。

联系人：教务处实践教学科，教一 112，电话 8107。`,
    bodyEn: `
Second- and third-year undergraduates may apply for student innovation projects; first-years may join a team.

Teams have three to five members, mixed teams are preferred. Key projects receive 15,000 to 20,000 yuan, general ones 3,000 to 8,000, for a year. Twenty-three questions set by Campus Services, the Library and the Hospital are on the platform’s front page.

Submit at most six pages by {+20e}, 16:00. Reviewers look for three things: is the question clear, is the method feasible, and what will you do if it fails.`,
  },
  {
    title: '关于宿舍安全承诺书线上签署的通知',
    en: 'Dormitory safety declaration to be signed online',
    by: 'O12',
    days: 6,
    time: '14:40',
    author: '后勤处公寓管理中心',
    summary: '住宿学生须在本月内完成签署，请逐条阅读后确认，未签署者将由宿管员上门提醒。',
    body: `
为加强学生公寓用电与消防安全管理，请全体住宿学生于{+12}前在“待办”中完成《宿舍安全承诺书》线上签署。

承诺书较去年有三处修改，请留意：

- 明确允许使用额定功率不超过三百瓦的电热水袋、暖风护腿垫等**带自动断电**的小电器，须登记型号；
- 电池、充电宝禁止在床上充电，电动自行车及其电池禁止进入楼内；
- 宿舍成员可以申请“安全互查”，连续一学期无隐患的宿舍优先参评文明宿舍。

签署以宿舍为单位统计，可在“宿舍服务”查看本宿舍完成情况。签署过程约需三分钟，系统会在每一条停留数秒，请不要催它。

咨询电话：8915。`,
  },
  {
    title: '图书馆关于开展“还书不罚款”活动的公告',
    en: 'Library amnesty: bring books back, pay nothing',
    by: 'O18',
    days: 8,
    time: '09:00',
    author: '图书馆流通部',
    picture: 'library',
    summary: '活动期间归还超期图书免除全部超期费用，遗失图书可以同版本新书抵偿。',
    body: `
为让流落在外的图书早日回家，图书馆定于{+1}至{+28}开展“还书不罚款”活动。

活动期间，归还超期图书不论超期多久，免除全部超期费用，借阅权限当天恢复；遗失图书的，可购买同一 ISBN 的新书抵偿，不另收加工费。已毕业校友也可参加，邮寄归还的，邮费由图书馆承担，请在包裹上注明“还书”。

目前超期一年以上的图书共三百一十八册，其中最久的一册是《流体力学》，借出于二十一年前。我们不追究它去了哪里，只希望它回来。

馆内设有不记名还书箱，二十四小时开放，位于东楼一层入口左侧。

> 好书值得被读很多遍，由很多人。

咨询：总服务台，电话 8718。`,
    bodyEn: `
From {+1e} to {+28e} overdue books may be returned without any charge, however late, and borrowing rights are restored the same day. A lost book may be replaced by a new copy of the same edition. Alumni are welcome; the library pays the postage.

At present 318 books are more than a year late; one, a textbook of fluid mechanics, went out twenty-one years ago. We do not ask where it has been. We would only like it back.

An anonymous return box stands to the left of the east wing’s entrance, open day and night.`,
  },
  {
    title: '关于开展全校师生年度健康体检的通知',
    en: 'Annual health check for staff and students',
    by: 'O20',
    days: 10,
    time: '08:40',
    author: '校医院体检中心',
    picture: 'clinic',
    summary: '体检分院系进行，可自行改期一次；报告在移动门户查看，异常结果由医生电话告知。',
    body: `
年度健康体检将于{+4}至{+25}在校医院新址三层进行。各单位时间已推送到个人日程，如不方便，可在“校医院挂号—体检”中自行改期一次。

## 体检前

- 前一晚十点后禁食，可少量饮水；慢性病服药照常，请告知医生；
- 穿着便于采血的衣物，勿佩戴金属饰品；
- 怀孕或可能怀孕者请事先说明，免做放射检查。

## 体检后

早餐在一层领取，凭体检单，不收费。报告在七个工作日内推送至移动门户，仅本人可见。有需要复查的结果，由医生直接电话告知，不以消息形式发送。

今年新增骨密度（四十五岁以上）和颈椎功能评估（自愿）两项。学生体检项目不变。

咨询电话：8121。`,
  },
  {
    title: '关于调整校车运行时刻的通知',
    en: 'Changes to the shuttle timetable',
    by: 'O12',
    days: 13,
    time: '16:20',
    author: '后勤处交通服务中心',
    picture: 'campus-road',
    summary: '岚山—江北校区班车由每日二十六班增至三十一班，末班车延至二十二时四十分。',
    body: `
根据师生意见和三周客流统计，自{+3w}起调整两校区班车时刻。

| 方向 | 首班 | 末班 | 高峰间隔 | 平峰间隔 |
| 岚山 → 江北 | 6:50 | 22:40 | 10 分钟 | 30 分钟 |
| 江北 → 岚山 | 6:50 | 22:40 | 10 分钟 | 30 分钟 |

主要变化：

- 早高峰 7:10—7:50 增开两班，仅停教一、信息楼两站；
- 周末首班由 8:00 提前到 7:20；
- 22:40 末班为试运行，一个月后视乘坐情况确定是否保留；
- 4 号车换为低地板车型，轮椅可直接上车，请有需要的师生优先乘坐。

实时到站和余座可在“校车”中查看。失物请联系调度室，电话 8923。`,
  },
  {
    title: '关于收集毕业生图像信息的通知',
    en: 'Graduation photographs: dates and places',
    by: 'O07',
    days: 17,
    time: '10:30',
    author: '招生就业处',
    summary: '采集分三天进行，未能参加者可自行上传或在外地采集点补采。',
    body: `
应届毕业生学历图像采集定于{+6}至{+8}在大学生活动中心一层多功能厅进行，每日 8:30—11:30、13:30—17:00。各学院分时段表见附件，错过本学院时段的可在最后半天补采。

采集时请携带身份证，着深色有领上衣，勿穿白色；戴眼镜者请选择不反光的镜框；可戴浅妆，请露出双眉和双耳轮廓。有宗教或民族习惯需佩戴头饰的同学请提前说明，按有关规定办理。

外出实习、交换未能返校者，可在各地采集点补采，或于{+40}前按要求自行上传。图像用于学历证书和学信档案，一经提交不能更改。

咨询电话：8507。`,
  },
  {
    title: '关于进一步规范电动自行车停放与充电的通告',
    en: 'Parking and charging of e-bikes',
    by: 'O14',
    days: 21,
    time: '09:20',
    author: '保卫处交通科',
    summary: '全校新增充电桩四百二十个，楼道、门厅停放的车辆将先提醒、再移置，不锁车、不罚款。',
    body: `
学校近期新增电动自行车充电桩四百二十个、雨棚十九处，现就停放与充电通告如下。

一、全校电动自行车须在“电动自行车登记”中办理号牌，号牌免费，当日办结。

二、请在划线区域停放。停放在楼道、门厅、消防通道的车辆，值班人员先电话或贴条提醒，两小时后仍未移走的，移置到最近的停放点，不锁车，不收费，移置位置通过消息告知车主。

三、禁止将车辆或电池带入楼内充电。发现一次，与本人谈话；再次发现，通报所在单位。

四、充电收费为每度零点八元，充满自动断电。夜间 23:00—6:00 半价。

充电桩实时空闲情况可在“停车场”中查看。保卫处值班电话：8110。`,
  },
  {
    title: '关于征集校史实物和口述史料的公告',
    en: 'Call for objects and memories of the university’s history',
    by: 'O19',
    days: 29,
    time: '15:10',
    author: '校史馆',
    picture: 'gate-dusk',
    summary: '校徽、课堂笔记、食堂饭票、合影、书信，以及一段您愿意讲的故事，都在征集之列。',
    body: `
为充实馆藏、筹备新展，校史馆面向历届校友、教职工及其亲属征集反映学校历史的实物和口述史料。

我们尤其想找到：早期的学生证、校徽、课程表、听课笔记和成绩册；食堂饭票、宿舍合影、运动会奖状；教师的手写讲义、批改过的作业；学校迁址、抗洪、建系等事件的照片和日记。

“不值钱的东西”往往最珍贵。去年入藏的一本一九五八年的宿舍值日簿，记着谁打水、谁扫地、谁“因赶作业请假一次”，成了展厅里停留时间最长的展品。

捐赠、寄存、复制均可，一律出具证书；可以上门，也可以只讲故事，由学生记录员整理后经您审定。

联系人：校史馆征集部，电话 8719，邮箱 archives@jianglan.example。征集长期有效，为赶上新展，请尽量在{+60}前联系我们。`,
  },
  {
    title: '关于心理健康教育中心增设夜间咨询时段的通知',
    en: 'Counselling Centre adds evening hours',
    by: 'O24',
    days: 36,
    time: '11:20',
    author: '心理健康教育中心',
    summary: '周一至周四咨询延长至二十时三十分，首次预约平均等待不超过三天，内容严格保密。',
    body: `
为方便白天有课或在实验室工作的同学，自{+3w}起，心理健康教育中心周一至周四延长开放至 20:30，周末 9:00—17:00 保持不变。

首次预约平均等待时间不超过三天。紧急情况不需要预约，可直接到大学生活动中心 309，或拨打二十四小时热线 8520。

您可能想知道：

- 咨询是免费的，每学期八次，需要时可延长；
- 咨询内容保密，不进入档案，不告知学院和家长，法律规定的例外会在第一次见面时说明；
- 可以选择咨询师的性别，也可以选择线上；
- 不确定自己“够不够严重”，也可以来。

我们还为教职工和研究生开设了睡眠、写作焦虑两个小组，每组八人，在“心理预约—团体”中报名。`,
    bodyEn: `
From {+3e} the Counselling Centre is open until 20:30 from Monday to Thursday. The wait for a first appointment is three days at most on average; in an emergency simply come to room 309 of the Student Centre or call 8520 at any hour.

Counselling is free and confidential. It does not enter your file, and neither your school nor your parents are told; the exceptions the law makes are explained at the first meeting. You may choose the counsellor’s sex, or meet online. If you are not sure whether it is “serious enough”, come anyway.`,
  },
  {
    title: '关于国际学生居留许可集中办理的通知',
    en: 'Residence permits for international students: group appointments',
    by: 'O11',
    days: 44,
    time: '09:50',
    author: '国际合作处国际学生办公室',
    summary: '有效期在三个月内的国际学生请按时提交材料，工作人员将陪同前往出入境大厅。',
    body: `
居留许可有效期不足三个月的国际学生，请于{+12}前将护照复印件、在读证明和住宿登记表提交至行政楼 116。国际合作处将于{+19}、{+20}分两批陪同前往市出入境服务大厅集中办理。

照片须为近期白底，不戴帽。因宗教原因佩戴头巾的，面部轮廓须完整。费用由本人承担，现场可刷卡。

住校外的同学，请先到派出所办理住宿登记。若护照号码已变更，请同时更新移动门户中的个人信息。

办公室电话：8211。`,
    bodyEn: `
International students whose residence permit expires within three months should hand in a copy of the passport, a certificate of enrolment and the accommodation form at room 116, Administration Building, before {+12e}. Our staff will accompany two groups to the city’s Exit and Entry Hall on {+19e} and {+20e}.

Photographs must be recent, on white, without a hat; headscarves worn for religious reasons are accepted if the face is fully visible. The fee is your own; cards are taken. If you live off campus, register with the police first. Telephone 8211.`,
  },
  {
    title: '关于做好节假日期间校园安全与值班工作的通知',
    en: 'Safety and duty arrangements over the holidays',
    by: 'O01',
    days: 58,
    time: '16:00',
    author: '校长办公室',
    summary: '假期实行领导带班和二十四小时值班，离校学生须登记去向，食堂和校医院保持开放。',
    body: `
各学院、各部门：

为确保假期校园平稳，现就有关工作通知如下。

一、各单位落实领导带班和二十四小时值班，值班表于放假前三天报校长办公室，值班电话须有人接听。

二、实验室负责人在放假前完成一次自查，重点检查气瓶、加热设备、冰箱和剧毒品双人双锁。假期需开展实验的，须有两人以上在场并在系统中备案。

三、学生离校须在“请假”中登记去向和返校时间；留校学生由辅导员建立联系群，每天联系一次。

四、第一食堂、校医院急诊、图书馆东楼一层自习区假期照常开放。校车按周末时刻运行。

五、遇突发情况，第一时间报告保卫处（8110）和校值班室（8001），不迟报、不漏报。`,
  },
]
