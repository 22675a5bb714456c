import type { WrittenArticle } from './news-article.ts'

/** 校园生活 */
export const campusLife: WrittenArticle[] = [
  {
    title: '清晨六点的岚湖，有一支不说话的队伍',
    en: 'At six on the lake: the crew that does not talk',
    by: 'O06',
    days: 0,
    time: '07:10',
    author: '学生记者 叶可溪',
    picture: 'rowing',
    summary: '赛艇俱乐部二十六人，每周五次晨训，他们用桨声代替口号。',
    body: `
六点整，岚湖上还有雾。码头的木板被露水打湿，八个人把一条十七米长的艇举过头顶，没有人说话。领桨的江书晴只用指节在艇身上敲了两下，十六只手同时放低。

赛艇俱乐部不喊口号，是三年前定下的规矩。那时队里来了一位听力受损的同学，桨手们发现，不喊之后反而整齐了——所有人开始听水。桨叶入水的声音如果是一声，就对了；如果是两声，就有人早了或者晚了。

俱乐部现有二十六人，来自十一个学院，大多数入学前没有碰过桨。训练每周五次，六点到七点二十，赶得上八点的课。期中之后，有人退出，也有人在岸上站了一星期之后下水。

教练武振林是体育部教师，年轻时是船厂工人。他说赛艇是最“没有明星”的运动，坐在中间的人连终点线都看不见，只能看见前面那个人的背。

> 你要相信那个背影，也要值得后面的人相信。

俱乐部每月第一个周日上午开放体验，会游泳即可报名，救生衣和热姜茶管够。`,
    bodyEn: `
At six there is still mist on Lan Lake. Eight people lift a seventeen-metre boat over their heads, and nobody says a word. Jiang Shuqing, at stroke, knocks twice on the hull; sixteen hands come down together.

The rowing club has not shouted commands for three years, since a student with impaired hearing joined it. Without shouting, the crew found, they rowed better: everybody began to listen to the water.

There are twenty-six of them, from eleven schools. Most had never held an oar. On the first Sunday morning of each month anyone who can swim may try; life jackets and hot ginger tea are provided.`,
  },
  {
    title: '第三十八届校运动会闭幕，计算机学院首夺团体总分第一',
    en: '38th sports meeting ends; Computer Science wins for the first time',
    by: 'O21',
    days: 1,
    time: '18:20',
    author: '体育部 陶凯',
    picture: 'sports-field',
    summary: '两天共决出四十二项冠军，五项校纪录被打破，教工四百米接力成为全场最热闹的项目。',
    body: `
第三十八届运动会昨日闭幕。两天里，十四个学院的一千九百余名运动员参加了四十二个项目，五项校纪录被打破，计算机学院以二百六十七分首次夺得团体总分第一，物理学院、体育见长的土木与水利学院分列二、三位。

女子三千米决赛最为精彩。临床2501班的苏日娜在最后一圈从第五位开始冲刺，以十分十九秒四打破保持了十四年的校纪录。冲过终点后她没有停下，又慢跑了半圈，去接落在最后的同学一起走完。

男子跳高赛场，土木2401班的覃志远越过一米九八后摆手示意不再试跳，“再高就要请假去比省赛了”。

今年新设的“最慢自行车”比赛吸引了三百多人围观，五十米骑了六分二十一秒的冠军是数学系的一位老教授，他说秘诀是“不要想着到达”。

## 团体总分前六名

| 名次 | 学院 | 总分 |
| 1 | 计算机学院 | 267 |
| 2 | 物理学院 | 249 |
| 3 | 土木与水利学院 | 241.5 |
| 4 | 医学院 | 230 |
| 5 | 机械与动力工程学院 | 218 |
| 6 | 外国语学院 | 196.5 |`,
    bodyEn: `
The 38th sports meeting ended yesterday. More than 1,900 athletes from fourteen schools took part in forty-two events over two days; five university records fell, and the School of Computer Science won the team title for the first time with 267 points.

In the women’s 3,000 metres Surna, a second-year student of medicine, started her sprint from fifth place and broke a fourteen-year-old record in 10:19.4, then jogged back half a lap to finish with the last runner.

The new “slowest bicycle” race was won by an elderly professor of mathematics: fifty metres in six minutes and twenty-one seconds. His advice: “Do not think of arriving.”`,
  },
  {
    title: '食堂阿姨的菜单本：十九年，四百三十道菜',
    en: 'Nineteen years, 430 dishes: a cook’s notebook',
    by: 'O12',
    days: 3,
    time: '12:10',
    author: '学生记者 任沐桐',
    picture: 'canteen',
    summary: '第一食堂面点师潘桂兰把学生的一句“太咸了”记了十九年。',
    body: `
第一食堂二楼东侧窗口的潘桂兰，有一个用塑料皮包着的菜单本。本子已经换到第六本，从十九年前的“葱油花卷”记到上周的“番茄牛腩刀削面”，一共四百三十道。

每道菜后面除了用料，还有一栏“他们说”。“太咸了”“我妈做的比这个甜”“能不能少放点香菜”“考研那天吃的就是这个”。有人毕业十年后带着孩子回来，点名要吃本子第二册第四十一页的豆沙包，她真的翻出来做了。

潘桂兰四点半上班，和面、发面、调馅，第一笼六点二十出锅。她说学生的口味三年一变，唯独考试周不变，“都要甜的”。

后勤处最近把菜单本扫描成册，放在食堂门口供人翻看，并从中选出十二道“消失的菜”，自{+1}起每周复刻一道，由写下评语的人投票决定留不留。

第一道是“糯米烧卖”，本子上的评语是：“室友失恋，吃了四个，说还行。”`,
    bodyEn: `
Pan Guilan, pastry cook in Canteen 1, keeps a notebook in a plastic cover. It is her sixth; in nineteen years she has written down 430 dishes, and beside each what students said: “too salty”, “my mother’s is sweeter”, “this is what I ate on the day of the exam”.

Campus Services has copied the notebooks for everybody to leaf through. From {+1e} one of twelve vanished dishes is made again each week; those who wrote the remarks decide whether it stays. The first is sticky-rice dumplings. The remark reads: “Room-mate’s heart broken. Ate four. Says it is all right.”`,
  },
  {
    title: '音乐厅的一百零三次排练：大学生合唱团年度音乐会侧记',
    en: 'A hundred and three rehearsals: the student choir’s annual concert',
    by: 'AD',
    days: 5,
    time: '21:40',
    author: '学生记者 林宜',
    picture: 'choir',
    summary: '六十四人，十一首作品，最后一首由全场观众一起唱完。',
    body: `
{-0}晚，大学生合唱团年度音乐会在音乐厅举行。六十四名团员演唱了十一首作品，从江岚民歌《放排号子》到十六世纪的无伴奏经文歌，再到本校学生作曲的《十一月的教室》。

《十一月的教室》由音乐系四年级的夏婉宁写成，歌词取自图书馆座位上的便签：“此座有人，去买热水”“谢谢你帮我占到靠窗的位置”“今天也没有写完”。六十四个声部时聚时散，像一间安静教室里的心跳。

指挥严建平已经带团二十二年。他不选“声音好听的人”，只选“愿意听别人声音的人”。团里有一位从不独唱的男低音，物理学院的巴特尔，他说自己最喜欢的是休止符，“六十四个人一起不出声，那一秒特别响”。

返场曲目是《岚山谣》。灯光亮起，指挥转过身来面向观众，全场一千一百人把它唱完。门口的保安师傅也在唱。

音乐会录音将在电子书与有声书中上线。合唱团下学期招新不看乐谱，只需带一首会唱的歌。`,
  },
  {
    title: '雪落岚山：光影摄影社年度作品选',
    en: 'Snow on Lanshan: pictures of the year',
    by: 'O06',
    days: 7,
    time: '10:10',
    author: '光影摄影社',
    picture: 'snow',
    summary: '从两千三百张投稿中选出三十六张，其中七张用手机拍摄。',
    body: `
光影摄影社本年度作品选今日在大学生活动中心一层展出。评选组从两千三百张投稿中选出三十六张，其中七张由手机拍摄，一张由附属小学四年级学生拍摄。

获得“年度一张”的《雪落岚山》出自历史学系研究生阿依古丽·买买提。照片里没有山，只有山脚公交站的一块玻璃，雪水流下的痕迹恰好勾出岚山的轮廓，玻璃后面是一个等车人的半张脸。

作者说，那天她等了四十分钟校车。“本来要生气的，后来就不想车来了。”

评委、新闻与传播系教师白海清认为，今年的投稿有一个可喜的变化：拍“大景”的少了，拍“身边”的多了。晾在走廊的实验服、考场外面的一排水杯、被磨得发亮的门把手，都有人郑重地拍下来。

展览至{+21}。摄影社接受任何人用一张打印的照片换走墙上的一张复制品，交换的照片将组成下一次展览。`,
  },
  {
    title: '回声话剧社新戏《渡口》首演：六十一年，一条船',
    en: 'Echo Drama Society opens “The Ferry”',
    by: 'O06',
    days: 11,
    time: '22:00',
    author: '学生记者 常致远',
    picture: 'stage',
    summary: '剧本取材于图书馆所藏渡口账册，演员里有一位真正的老船工。',
    body: `
回声话剧社的新戏《渡口》{-0}晚在大学生活动中心剧场首演，加座之后仍有五十多人站着看完。

剧本取材于图书馆所藏渡口账册。编剧、中文2401班的孟语桐在一次工作坊上听到那个表示“客人没带钱，下次补”的符号，回去写了第一场：一个没带钱的人，欠了渡口六十一年。

戏只有一条船、两支桨和七名演员。时间由水声表示，水涨一次，就过去几年。饰演老船工的是真正的老船工金德生，八十二岁，从没演过戏，全场只有十一句台词，每句都说得像昨天发生的事。

演到最后一场，欠钱的人的孙女来还钱，老船工摆摆手，把账本翻到那一页给她看，上面的符号早已划掉了。

> “谁划的？”“水划的。”

《渡口》将于{+7}、{+8}加演两场，免费，凭“第二课堂”预约码入场。提供字幕。`,
    bodyEn: `
“The Ferry”, the Echo Drama Society’s new play, opened on the evening of {-0e} with fifty people standing at the back.

It grew out of the ferry ledgers in the library, in which one sign means “the passenger had no money; next time”. There is one boat, two oars and a cast of seven; time is told by the sound of water. The old boatman is played by an old boatman: Jin Desheng, eighty-two, who had never acted and has eleven lines.

Two more performances follow on {+7e} and {+8e}. Admission is free with a booking code; there are subtitles.`,
  },
  {
    title: '宿舍楼下的修车铺，开了张修自行车的课',
    en: 'The bicycle repairman who opened a course',
    by: 'O05',
    days: 16,
    time: '13:00',
    author: '学生记者 邵嘉恒',
    picture: 'campus-road',
    summary: '修车师傅钱永良在竹苑二栋楼下修了十四年车，如今他的课是劳动教育里最难抢的一门。',
    body: `
竹苑二栋楼下的修车铺只有六平方米，挂满了链条和内胎。店主钱永良在这里修了十四年车，这学期多了一个身份：劳动教育课“自行车的七个部件”的任课教师。

课程共八次，每次两小时，十六个人一个班。第一次课不讲原理，先把一辆好车拆成零件，第二次课再装回去。装不回去的，第三次课接着装。

“他们高数比我好，手比我生。”钱师傅说，“装辐条要一点一点紧，每根都紧一点，不能先把一根紧到底。好多人第一次不信，轮子就歪了。”

选上这门课的英语2501班慕容清宁说，她以前车坏了就换一辆，现在会先听一听声音。“咯吱声是踏板轴，嗒嗒声是辐条，不出声最糟，说明刹车没了。”

课程结束时，学生要独立修好一辆毕业生留下的旧车，送给需要的同学。这学期已经送出二十九辆，下学期名额增加到三个班。`,
    bodyEn: `
Qian Yongliang has mended bicycles below Bamboo Court 2 for fourteen years, in a shop of six square metres. This term he also teaches: “The Seven Parts of a Bicycle”, eight sessions for sixteen students, is the hardest course of practical work to get into.

In the first session a good bicycle is taken to pieces; in the second it is put together again. “They are better at calculus, I am better with my hands,” he says. At the end each student repairs a bicycle left behind by a graduate and gives it to somebody who needs one. Twenty-nine have been given away so far.`,
  },
  {
    title: '凌晨的献血车：六百一十二名师生参加无偿献血',
    en: '612 give blood',
    by: 'O20',
    days: 20,
    time: '17:30',
    author: '校医院、青年志愿者协会',
    picture: 'volunteers',
    summary: '三天共采血二十万余毫升，四十一人同时加入造血干细胞捐献者资料库。',
    body: `
为期三天的无偿献血活动昨日结束，共有六百一十二名师生献血二十万零四百毫升，另有四十一人留样加入造血干细胞捐献者资料库。

献血车停在图书馆前广场，原定九时开始，八时二十分已排起长队。排在第一位的是土木学院教师田光明，这是他第三十七次献血，“我的血型不稀罕，就是稳定”。

七十八人因血压、近期用药等原因未能献血。志愿者给他们每人发了一张卡片，上面写着：“谢谢你来。今天不适合，不代表你不勇敢。”卡片由心理健康教育中心和志愿者一起设计。

本次活动使用了移动门户预约，平均等待时间由去年的五十二分钟降至十四分钟。献血后如有不适，请联系校医院 8120；血液检测结果将由血液中心直接通知本人。`,
  },
  {
    title: '山野户外协会发布岚山四季步道手册',
    en: 'A guide to the paths of Lanshan',
    by: 'O06',
    days: 26,
    time: '09:30',
    author: '山野户外协会',
    picture: 'hills',
    summary: '五条线路，从四十分钟到五小时，标注了水源、信号盲区和每一处“容易走错的岔口”。',
    body: `
山野户外协会历时两年编写的《岚山四季步道手册》上线。手册收录五条线路，最短四十分钟，最长五小时，均由会员在不同季节各走过三遍以上。

与一般的游记不同，手册最用心的部分是“容易走错的岔口”，共二十七处，每处都有两张照片：一张是走对的方向，一张是走错之后会看见什么。“看见这棵倒下的松树，说明你已经错过了路口，请往回走一百二十步。”

手册还标注了四处水源、三段手机信号盲区和两处可以避雨的岩檐，并提醒：

- 单人不走四号、五号线；
- 十六时以后不出发；
- 有一段路在蛙类繁殖期夜间不照明，请绕行；
- 不采、不摘、不喂。

会长尹逸舟说，写手册的念头来自一次迷路。那次迷路没有发生危险，但让他们知道，“熟悉”是最容易走错路的原因。

手册可在“校园地图—步道”中查看，支持离线下载。`,
  },
  {
    title: '毕业二十年，他们把一间自习室还给了母校',
    en: 'Twenty years on, they gave a study room back',
    by: 'O23',
    days: 34,
    time: '15:50',
    author: '校友工作办公室',
    picture: 'graduation',
    summary: '土木学院二十年前的一个班集资改造教二 214，条件只有一个：不挂名。',
    body: `
教二 214 是一间普通的教室，四十八个座位，朝北。二十年前，土木学院的一个班在这里上了四年晚自习。上个月，全班三十一人集资把它改造成一间自习室，提出的条件只有一个：不挂名。

改造没有用什么昂贵的材料。桌面换成实木，因为“我们那时候胳膊肘都磨破了”；灯换成可以单独开关的，因为“总有人要先走”；北窗外加了一排书架挡风，书是大家自己寄来的，扉页上写着当年的学号。

讲台保留了原样。黑板右下角有一道刻痕，据说是某年停电时刻下的，全班没有人承认。

教室启用那天，来了十九个人。没有仪式，他们按当年的座位坐下，安静地待了一节课的时间。有人看书，有人写信，有人趴着睡着了。

离开时，黑板上多了一行粉笔字：“请继续。”值班员问要不要擦，大家说，明天上课的人会擦的。`,
  },
  {
    title: '手语社的安静课堂：二十个句子就够点一杯奶茶',
    en: 'Twenty signs to order a cup of tea',
    by: 'O06',
    days: 43,
    time: '18:40',
    author: '学生记者 韩竹',
    picture: 'volunteers',
    summary: '每周二晚的手语课由听障同学主讲，校园超市两名店员也来学。',
    body: `
每周二晚七点，大学生活动中心 205 会安静下来。这里是手语课，主讲人是视觉传达设计系的听障学生雷心月，规定只有一条：进门之后，不说话。

课程只教二十个句子，从“你好”“慢一点”到“少糖，不要冰”。雷心月在黑板上写：会二十句，就能点一杯奶茶，问一次路，安慰一个人。

第五周，校园超市的两名店员也来了。她们发现店里常来的一位同学总是用手机打字点单，想学会直接问他。现在超市收银台贴着一张小小的牌子：本店懂一点手语。

学习者里人数最多的是医学院学生。临床2301班的郝景川说，实习时遇到一位听障老人，所有人都在对着陪护说话，“没有人看着他说”。

课程每期六周，免费，教材是一套三十二张的手绘卡片，由雷心月绘制，可在图书馆总服务台借阅。`,
  },
  {
    title: '日出时分，他们在天台数鸟',
    en: 'Counting birds at sunrise',
    by: 'LS',
    days: 55,
    time: '08:50',
    author: '学生记者 莫若彤',
    picture: 'sunrise',
    summary: '校园鸟类调查进入第十一年，共记录一百四十六种，去年玻璃幕墙撞击事件下降七成。',
    body: `
日出前二十分钟，生态学系的六名学生已经站在信息楼天台上。他们分成三组，一组看，一组听，一组记。校园鸟类调查进入第十一个年头，累计记录一百四十六种。

调查最直接的成果不在论文里，而在玻璃上。三年前，学生发现信息楼连廊每年有近百只鸟撞上玻璃，最多的是绣眼鸟。他们把撞击位置、时间和天气整理成一份十二页的报告，建议在玻璃外侧贴间距五厘米的圆点。

后勤处采纳了建议。去年，撞击事件由九十四起降到二十七起。圆点由设计系学生排成星图，夜里灯亮时能看出北斗。

带队的研究生次仁卓玛说，数鸟的人要学会接受“零”。“今天没有看到翠鸟，也要写零。零不是没有做事，零是数据。”

调查每月第二个周六开放公众参与，请穿深色衣服，不喷香水，准时。`,
    bodyEn: `
Twenty minutes before sunrise six students of ecology are on the roof of the Information Building: one pair watches, one listens, one writes. The campus bird survey is in its eleventh year and has recorded 146 species.

Its most direct result is on the glass. Students found that nearly a hundred birds a year struck the glazed bridge, and proposed dots at five-centimetre spacing. Last year strikes fell from 94 to 27. Design students arranged the dots as a star map.

The survey is open to the public on the second Saturday of each month. Wear dark clothes, no scent, and be on time.`,
  },
]
