import type { WrittenArticle } from './news-article.ts'

/** 学术 */
export const academic: WrittenArticle[] = [
  {
    title: '讲座预告：让机器学会说“我不知道”——不确定性估计二十讲之三',
    en: 'Lecture: teaching machines to say “I don’t know”',
    by: 'CS',
    days: 0,
    time: '08:20',
    author: '计算机学院科研办公室',
    picture: 'lecture',
    summary: '周明远教授主讲，从天气预报和医学影像两个例子讲起，适合所有专业的听众。',
    body: `
**题目**：让机器学会说“我不知道”
**主讲人**：周明远（计算机学院教授）
**时间**：{+4w} 19:00
**地点**：信息楼报告厅 A101
**主持人**：人工智能系 顾立衡

## 内容提要

一个预测模型给出“百分之七十会下雨”，我们怎样判断它说得好不好？如果一台机器在看一张它从未见过的片子，它能不能先停下来，而不是硬给一个答案？

讲座从天气预报员百年来的训练方法讲起，介绍校准、置信区间和拒绝预测三个概念，再用肺部影像筛查的真实案例说明：会说“我不知道”的模型，往往比“什么都知道”的模型更有用。讲座不需要机器学习基础，只需要愿意猜。

现场将进行一个十道题的小实验：您不仅要回答，还要写下对自己答案的把握。结果会让大多数人意外。

## 参加方式

在“学术讲座”报名，现场签到计入第二课堂。座位一百八十个，未报名者可在门口等候空位。讲座提供手语翻译和线上直播，录像三天后在网络教学平台公开。`,
    bodyEn: `
**Speaker**: Professor Zhou Mingyuan, School of Computer Science
**When**: {+4we}, 19:00
**Where**: Lecture Hall A101, Information Building

A forecast says “seventy per cent chance of rain”. How do we know whether it was a good forecast? When a machine looks at a scan unlike any it has seen, can it stop instead of guessing?

The lecture begins with a century of training for weather forecasters, introduces calibration, intervals and abstention, and uses a real case from lung screening to show that a model which can say “I don’t know” is often the more useful one. No background is needed, only the will to guess: there will be a ten-question experiment.

Sign up under “Lectures and seminars”. Sign-language interpretation and a live stream are provided.`,
  },
  {
    title: '先进材料研究所在低温相变储能材料上取得进展',
    en: 'New material stores heat at low temperature',
    by: 'R03',
    days: 2,
    time: '09:40',
    author: '材料所 谭静',
    picture: 'lab',
    summary: '一种由盐与多孔陶瓷复合而成的材料，三千次循环后储热能力仍保持百分之九十四。',
    body: `
先进材料研究所姜若川课题组近日报道了一种低温相变储能材料，可在四十二至四十六摄氏度之间反复吸放热。论文发表于一家材料学国际期刊，第一作者为博士研究生廖雨桐。

储热材料并不新鲜，难点在于“用久了就坏”。水合盐便宜、储热多，但反复融化会分层、漏液、腐蚀容器。课题组把盐“灌”进一种孔径只有几十微米的陶瓷骨架里，毛细力让液体无处可逃。经三千次循环，材料的储热能力仍保持百分之九十四，没有观察到泄漏。

有意思的是，这种陶瓷骨架的灵感来自艺术与设计学院陶瓷艺术系的一件“失败作品”：一批因釉料发泡而报废的茶碗。两个学院的老师在一次校内沙龙上相遇，才有了这项合作。

目前，团队正在第二食堂的热水系统上做为期一年的实测，夜间储热、白天用热，预计可节省用电两成左右。论文数据和制备步骤已在机构知识库公开。`,
    bodyEn: `
Jiang Ruochuan’s group at the Institute of Advanced Materials reports a material that takes up and gives back heat between 42 and 46 °C and keeps 94 per cent of its capacity after three thousand cycles.

Salt hydrates are cheap and store much heat, but separate, leak and corrode. The group soaks the salt into a ceramic with pores of some tens of micrometres, from which the melt cannot escape. The idea came from a failed batch of tea bowls at the Department of Ceramic Art, whose glaze had foamed.

A one-year trial is running in the hot-water system of Canteen 2. Data and recipe are in the university repository.`,
  },
  {
    title: '人文学院举办“地方文献与数字整理”工作坊',
    en: 'Workshop on local records and digital editing',
    by: 'HU',
    days: 5,
    time: '16:00',
    author: '人文学院 孔书言',
    picture: 'books',
    summary: '来自九所高校和三家档案机构的四十余位学者，围绕一批清代渡口账册展开讨论。',
    body: `
{-2}至{-1}，人文学院与古籍整理研究所共同举办“地方文献与数字整理”工作坊。来自九所高校和三家档案机构的四十余位学者参加。

工作坊的材料是我校图书馆所藏一批渡口账册，共四十七册，记录了江岚江中游一处渡口前后六十一年的过江人数、货物和船钱。账册用语简省，夹杂方言和行业符号，过去一直被认为“读不完整”。

古籍所莫文清介绍了一套人机结合的整理流程：先由模型识别字形，再由学生按规则标注存疑处，最后由熟悉方言的老船工听读。三位年过八旬的老船工到场，认出了十一个此前无人识得的符号，其中一个表示“客人没带钱，下次补”。

历史学系叶秀云的报告则从账册中还原出六十一年间的十四次大水。她把账册中的停渡日与气象代用资料比对，有十二次吻合。

全部账册的影像与初步释文将于{+45}前在“古籍与特藏”公开，欢迎校外读者指正。`,
  },
  {
    title: '生命科学学院师生在岚山发现一种蕨类新分布',
    en: 'A fern new to the region found on Lanshan',
    by: 'LS',
    days: 8,
    time: '14:10',
    author: '生科学院 覃晓禾',
    picture: 'herbarium',
    summary:
      '在野外实习中，三名二年级本科生于北坡岩缝采到标本，将该种的已知北界推移约一百八十公里。',
    body: `
一次普通的野外实习，让岚山的植物名录多了一行。生命科学学院三名二年级本科生在岚山北坡的滴水岩缝中采到一种此前未在本地记录的铁角蕨，经标本馆比对确认，其已知分布北界因此向北推移约一百八十公里。

发现者之一、生科2501班的单思宁说，当时是因为下雨躲进岩缝，“抬头看见叶背的孢子囊排列得像小提琴的音孔，和手册上任何一种都对不上”。他们按规范只采了一份标本，拍照、测光、记录基质，并没有公开具体位置。

指导教师韦海清介绍，该种对湿度极其敏感，岚山种群仅存二十三丛，可能是古老湿润气候的孑遗，也可能随近年降水变化新近迁来，需要遗传学证据。标本馆将启动连续三年的监测。

> 野外实习最大的收获，不是认识了多少种植物，而是知道“不认识”是什么样子。

标本已入藏，编号可在机构知识库查询。为保护种群，请勿自行前往寻找和采集。`,
    bodyEn: `
Three second-year students sheltering from the rain in a crevice on the north slope of Lanshan looked up and saw a spleenwort that matched nothing in their handbook. The herbarium has confirmed it: the known range of the species moves some 180 kilometres north.

Only twenty-three tufts grow on the mountain. They may be a relic of a wetter age or recent arrivals; genetic work and three years of monitoring will tell. The students took a single specimen and did not publish the place. Please do not look for it.`,
  },
  {
    title: '我校牵头制定的水下结构检测团体标准发布',
    en: 'Standard for inspecting underwater structures published',
    by: 'CE',
    days: 13,
    time: '10:15',
    author: '土木学院科研办',
    picture: 'bridge',
    summary: '标准规定了桥墩、闸门等水下部分的声学成像流程和缺陷分级，{+30}起实施。',
    body: `
由土木与水利学院牵头、十一家单位参与编制的《水下结构声学成像检测规程》团体标准近日发布，{+30y}起实施。

桥墩、闸门、取水口等结构的水下部分看不见、摸不着，过去主要靠潜水员探摸，受浊度和流速影响大，不同人写出的报告难以比较。新标准以多波束声呐和机械扫描声呐为主要手段，统一了测线布设、分辨率检验、缺陷分级和报告格式。

标准编制组用三年时间在十九座桥梁上做了对比试验。其中一座桥先由四家单位各自检测，再抽干围堰检查实物。结果显示，按统一流程操作后，四家单位对宽度五厘米以上缺陷的识别一致率由百分之六十一提高到百分之九十三。

标准起草人、交通工程系付永辉说，编标准最难的不是写“应当怎样”，而是写清楚“什么情况下测不准”。规程专设一章列出声学成像的六种典型伪像及判别方法，并附样图。

标准全文可在图书馆数据库导航中免费下载。`,
  },
  {
    title: '医学院研究团队公布社区老人跌倒随访结果：怕跌倒本身就是风险',
    en: 'Fear of falling is itself a risk, says study of older people',
    by: 'MD',
    days: 19,
    time: '09:00',
    author: '医学院 护理学系',
    picture: 'clinic',
    summary: '对两千一百名社区老人的三年随访显示，过度担心跌倒的人活动减少，跌倒风险反而升高。',
    body: `
医学院护理学系与校医院联合开展的一项随访研究近日公布结果。研究者对江岚市十二个社区的两千一百名六十五岁以上老人进行了三年跟踪，发现“害怕跌倒”与实际跌倒之间存在相互加强的关系。

入组时没有跌倒过、但自述“非常害怕跌倒”的老人，三年内首次跌倒的比例为百分之三十一，不太担心的老人为百分之十九。控制年龄、用药和肌力之后，差异仍然存在。

课题负责人龚淑敏解释说，担心会让人减少外出、走路变慢、低头看脚，肌力和平衡随之下降，“越怕越不动，越不动越容易跌”。

研究组在其中六个社区试行了一种每周两次、每次四十分钟的集体练习，内容包括转身、捡东西和“学会怎样起来”。参加者的担心评分在十二周后下降近四成。

练习手册配有大字版和方言录音，可在校医院网站下载。研究得到社区居委会和志愿者的大力支持，学生志愿者累计入户四千二百余次。`,
  },
  {
    title: '“数据科学午间谈”第五十期：为什么平均数常常骗人',
    en: 'Data Science at Noon, no. 50: why averages mislead',
    by: 'R04',
    days: 24,
    time: '11:30',
    author: '数据科学研究中心',
    picture: 'seminar',
    summary: '每周三中午四十分钟，带午饭来听，第五十期由统计学系杜若川主讲。',
    body: `
“数据科学午间谈”迎来第五十期。{+3w} 12:20，统计学系杜若川将以“为什么平均数常常骗人”为题，讲四个小故事：一所“平均分最高”的学校、一家“平均等待五分钟”的医院、一条“平均水深一米二”的河，以及一个“平均每家一点八个孩子”的城市。

午间谈始于四年前的一次偶然。三位不同学院的老师在食堂为一张图表争论起来，谁也没说服谁，约定下周带着数据再来。如今它成了全校参加人数最多的小型学术活动，没有主席台，没有合影，主讲人讲二十分钟，听众问二十分钟。

地点固定在信息楼 B 座一层大厅，备有热水和一次性餐具回收箱，请自带午饭和一个问题。过往四十九期的材料可在中心主页查阅，其中被引用最多的一期是“怎样承认你的图画错了”。`,
    bodyEn: `
The fiftieth “Data Science at Noon” takes place on {+3we} at 12:20 in the hall of Information Building B. Du Ruochuan tells four short stories: a school with the highest average mark, a hospital with an average wait of five minutes, a river with an average depth of 1.2 metres, and a city with 1.8 children to a family.

Twenty minutes of talk, twenty of questions, no platform and no group photograph. Bring your lunch and a question.`,
  },
  {
    title: '“计算与艺术”联合展开幕：代码烧出来的一百只碗',
    en: 'A hundred bowls written in code: joint exhibition opens',
    by: 'AD',
    days: 31,
    time: '15:20',
    author: '艺术与设计学院',
    picture: 'kiln',
    summary: '计算机学院与陶瓷艺术系学生合作，用程序生成器形、用柴窑决定釉色。',
    body: `
由艺术与设计学院、计算机学院联合举办的“计算与艺术”展于{-0}在美术馆一层开幕，展期六周。展厅中央是一百只碗，器形由同一段程序生成，没有两只相同；釉色则交给柴窑里的火，谁也无法预料。

学生策展人唐芷薇说，他们想问的是：当形状可以被精确描述，偶然还剩下什么？程序里只有七个参数，柴窑里却有风、湿度、木柴和守窑人打的那个盹。

展览的另一部分是“不合格品”。三十一件开裂、粘连、变形的作品与它们的代码并排陈列，观众可以修改参数，在屏幕上看这只碗“如果没有裂”会是什么样。

守窑的陶瓷艺术系教师侯德林守了四十个小时。“机器把碗做得很准，火把它们做得不一样。我在中间，负责添柴。”

展览免费，周一闭馆。每周六下午两点有导览，提供英文讲解。`,
  },
  {
    title: '我校三项成果入选区域协调发展研究案例库',
    en: 'Three studies join the case library on regional development',
    by: 'R05',
    days: 38,
    time: '17:00',
    author: '城市与区域发展研究院',
    summary: '三个案例分别关于县城公共交通、老年食堂和跨县水费分摊。',
    body: `
近日，区域协调发展研究案例库公布新一批入选名单，我校城市与区域发展研究院三项成果入选，分别是《一条县城公交线怎样活下来》《二十七家老年食堂的账本》《同饮一江水：跨县水费分摊的七年》。

三个案例有一个共同点：都从一本账写起。研究院要求参与案例写作的研究生在当地连续居住不少于四十五天，先学会当地人怎样记账，再谈怎样评价。

《二十七家老年食堂的账本》的作者之一、经济学系硕士研究生谭乐怡发现，亏损最少的食堂不是补贴最多的，而是与小学共用厨房的：中午给学生做饭，十点半和十七点给老人做饭，厨师和设备都不闲着。这一做法已被两个县采纳。

案例全文、原始访谈提纲和脱敏数据均已公开，可用于课堂教学，不需要另行申请。`,
  },
  {
    title: '研究生学术写作中心成立：先改好一段话',
    en: 'New writing centre for postgraduates: begin with one paragraph',
    by: 'O04',
    days: 47,
    time: '10:00',
    author: '研究生院培养办公室',
    picture: 'books',
    summary: '中心提供中英文一对一辅导，每次四十五分钟，只谈一段文字，不代改、不润色。',
    body: `
研究生学术写作中心日前在图书馆东楼五层揭牌。中心由研究生院、图书馆和外国语学院共建，现有专职教师四人、经过培训的博士生辅导员二十二人。

与一般的润色服务不同，中心只做一件事：一对一地谈一段话。每次预约四十五分钟，来访者带来自己写的不超过三百字（或两百个英文单词）的一段文字，辅导员通过提问帮助作者找到问题，由作者自己动手修改。

“我们不拿红笔。”中心主任 Clara Whitfield 说，“大多数写不清楚的句子，是因为还没有想清楚。改句子之前，先问作者：你想让读者记住什么？”

试运行两个月，中心接待来访六百八十人次，最常见的三个问题是：一段里有两个以上的意思、结论藏在句子末尾、用缩写代替解释。

预约方法：“研讨间—写作中心”。每人每周限一次，毕业论文提交前一个月不限。`,
    bodyEn: `
The Postgraduate Writing Centre has opened on the fifth floor of the library’s east wing, with four teachers and twenty-two trained doctoral tutors.

It does one thing: it talks about one paragraph with one writer for forty-five minutes. Bring at most two hundred words of your own. The tutor asks; you revise.

“We use no red pen,” says Clara Whitfield, its director. “Most unclear sentences are unclear because the thought is. Before you mend the sentence, say what you want the reader to remember.” Book under “Group study rooms”.`,
  },
]
