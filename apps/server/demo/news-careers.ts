import type { WrittenArticle } from './news-article.ts'

/** 招聘就业: written articles; the employers' talks are composed from `talks`. */
export const careers: WrittenArticle[] = [
  {
    title: '应届毕业生大型双选会：四百一十二家单位，一万两千个岗位',
    en: 'Graduate job fair: 412 employers, 12,000 positions',
    by: 'O07',
    days: 1,
    time: '10:00',
    author: '招生就业处',
    picture: 'job-fair',
    pinned: true,
    summary: '双选会在体育馆举行，设简历门诊、安静面试区和无障碍通道，岗位清单可提前三天查看。',
    body: `
应届毕业生大型双选会定于{+7w} 9:00—15:00 在体育馆举行，四百一十二家单位提供岗位一万两千余个，其中面向研究生的约占三成，外省单位约占四成半。

## 会前

岗位清单已在“就业服务”发布，可按专业、地点、是否解决住宿筛选。建议提前选好不超过十五家，画好路线。场馆一层为理工类，二层为人文社科、医药和公共机构。

## 会中

- **简历门诊**：一层西门，三十位校友顾问，每人十分钟，不预约；
- **安静面试区**：二层东侧，隔音，面试单位可当场使用；
- **无障碍**：南门坡道、专用电梯，志愿者可全程陪同；
- 打印每人免费五页，请自带水杯。

## 提醒

现场签约请看清试用期、违约金和工作地点。要求扣押证件、缴纳押金培训费的，一律不要签，立即告诉现场工作人员。就业咨询电话：8507。`,
    bodyEn: `
The graduate job fair takes place in the Sports Hall on {+7we} from 9:00 to 15:00. Some 412 employers offer more than 12,000 positions, about a third of them for postgraduates.

The list is under “Careers” and can be filtered by subject and place. Choose fifteen employers at most beforehand. Thirty alumni read CVs at the west gate, ten minutes each; quiet rooms for interviews are upstairs on the east side; the south gate has a ramp and a lift.

Read the trial period, penalty and place of work before you sign. Never hand over documents or a deposit. Telephone 8507.`,
  },
  {
    title: '选调生、基层项目报考说明会安排',
    en: 'Information sessions on public service posts',
    by: 'O07',
    days: 4,
    time: '16:20',
    author: '招生就业处',
    picture: 'seminar',
    summary: '三场说明会分别面向本科、硕士和博士，往届学长学姐现场答疑。',
    body: `
为帮助有意到基层工作的毕业生了解政策、准备报考，招生就业处安排三场说明会。

| 场次 | 时间 | 地点 | 对象 |
| 一 | {+3w} 18:30 | 教三 201 | 本科生 |
| 二 | {+4w} 18:30 | 教三 201 | 硕士研究生 |
| 三 | {+5w} 15:00 | 行政楼 212 | 博士研究生 |

每场前半程介绍岗位类别、报考条件和时间节点，后半程由三位在乡镇、街道、县级医院工作的校友讲“第一年都在做什么”。我们请他们带来的不是先进事迹，而是普通一周的日程表。

政治面貌、学生干部经历等条件因省而异，请以各省公告为准。材料盖章在学生事务大厅 3 号窗口办理，当天可取。`,
  },
  {
    title: '就业质量年度报告发布：毕业三年后，他们在哪里',
    en: 'Where graduates are after three years: annual report',
    by: 'O07',
    days: 10,
    time: '09:00',
    author: '招生就业处',
    picture: 'graduation',
    summary:
      '除毕业去向外，报告首次公布毕业三年后的追踪结果，四成二的人换过工作，多数因为想做得更专。',
    body: `
本年度毕业生就业质量报告于{-0}发布。本届毕业生去向落实率为百分之九十四点三，其中境内外深造百分之三十八点六，签约就业百分之四十九点八，自主创业和灵活就业百分之五点九。

报告首次公布毕业三年后的追踪结果。三年前毕业的六千余人中，有四千一百人完成问卷：

- 百分之四十二换过至少一次工作，最常见的原因是“想做得更专”，其次是“离家近”；
- 百分之六十八认为工作与专业“有关但不对口”，其中多数表示并不困扰；
- 被提到最多的、大学里“当时觉得没用后来有用”的东西，前三名是写作、统计和小组作业；
- 被提到最多的遗憾，是“没有早一点去问人”。

各学院专业的详细数据已在“信息公开”发布。下学期起，每个专业的培养方案修订都须附上本专业毕业生追踪结果及回应。`,
  },
  {
    title: '实习岗位专场：北岸科技创新走廊首批一百四十个名额',
    en: 'Internships on the innovation corridor: first 140 places',
    by: 'O07',
    days: 14,
    time: '11:40',
    author: '招生就业处',
    picture: 'bridge',
    summary:
      '岗位覆盖材料、装备、生物制造和水环境四个平台，实习津贴每月不低于两千八百元，计入实践学分。',
    body: `
北岸科技创新走廊首批学生实习岗位已在“就业服务—实习”上线，共一百四十个，面向本科三、四年级和研究生。

岗位分布：先进材料平台四十六个，智能装备平台三十八个，生物制造平台三十一个，水环境平台二十五个。实习期三至六个月，每周不少于三天，津贴每月不低于二千八百元，提供午餐和往返班车，购买实习保险。

申请时请写清三件事：想解决什么问题，已经会什么，每周哪几天能到。每人限投三个岗位，双向选择，一周内答复。

实习结束后提交一份不超过五页的报告，经校内外两位导师评定，可认定二至四个实践学分。走廊内的保密要求因平台而异，签署前请读完，有疑问可先到招生就业处 108 咨询。`,
  },
  {
    title: '警惕求职陷阱：四个真实案例',
    en: 'Job-hunting traps: four true cases',
    by: 'O14',
    days: 22,
    time: '15:00',
    author: '保卫处、招生就业处',
    picture: 'campus-road',
    summary: '付费内推、刷单兼职、贷款培训和“解冻”银行卡，四个案例均来自本校学生。',
    body: `
求职季也是骗子的旺季。以下四个案例均来自本校，已征得当事人同意，隐去姓名。

**一、付费内推。** 中介声称可以“保录用”，收取一万二千元，给出一份盖着假章的录用函。正规单位的招聘不收求职者任何费用。

**二、兼职刷单。** 前三单返现很快，第四单要求“连做三笔才能结算”。凡是先垫钱的兼职，都不是兼职。

**三、贷款培训。** 面试时说“能力差一点，培训后上岗”，培训费一万九千元由贷款公司垫付，培训结束没有岗位，贷款要还。

**四、“解冻”银行卡。** 对方说工资卡信息填错、资金被冻结，需要转账“解冻”。没有任何机构会让你转账证明自己。

遇到以上情况，请立即停止转账，保留聊天和转账记录，拨打 110，同时联系保卫处 8110。越早越有可能追回。受骗不丢人，请不要独自承担。`,
  },
  {
    title: '简历门诊开诊：每周二、四下午，不改形容词',
    en: 'CV clinic: Tuesdays and Thursdays, no adjectives',
    by: 'O07',
    days: 30,
    time: '13:30',
    author: '招生就业处',
    picture: 'seminar',
    summary: '二十八位校友顾问轮值，每人二十分钟，去年接待一千三百人次。',
    body: `
简历门诊本学期继续每周二、四 14:00—17:00 在就业指导中心 108 开诊，二十八位校友顾问轮值，每人二十分钟，“就业服务—预约”中可选顾问和行业。

门诊只有一条规矩：不改形容词。顾问不会帮你把“参与”改成“深度参与”，只会问三个问题：你做了什么？做成什么样？换一个人会有什么不同？

去年门诊接待一千三百人次，最常见的五个问题是：写了课程没写做过的事；数字没有单位；一页纸三种字体；邮箱还是中学时起的名字；最重要的经历放在背面。

不知道自己想做什么，也可以来，那是“方向门诊”，每周三 14:00，四十分钟，不用带简历。`,
  },
]
