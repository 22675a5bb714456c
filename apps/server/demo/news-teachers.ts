import type { WrittenArticle } from './news-article.ts'

/** 教师工作: for teachers and staff only */
export const teachersWork: WrittenArticle[] = [
  {
    title: '关于开展本年度专业技术职务评审工作的通知',
    en: 'Academic promotion: this year’s procedure',
    by: 'O09',
    days: 0,
    time: '08:10',
    author: '人事处师资科',
    summary: '代表作不超过五项，不再要求填写期刊分区和被引次数，教学型、科研型、应用型分类评审。',
    body: `
各单位：

本年度专业技术职务评审工作即日启动，现将有关事项通知如下。

## 主要变化

- 实行代表作制度，代表作不超过五项，教材、标准、作品、软件、咨询报告与论文同等看待；
- 申报表不再填写期刊分区、影响因子和被引次数；
- 教学为主型申报人须提供三次随堂听课记录和连续两年的学生评价原文；
- 因生育、重病中断工作的，考核年限相应顺延，不需要说明之外的证明。

## 时间安排

| 环节 | 时间 |
| 个人申报 | {+0}—{+14} 17:00 |
| 单位审核与公示 | {+15}—{+24} |
| 校外同行评议 | {+25}—{+55} |
| 学科组评议与学校评审 | {+60}前后 |

申报通过“职称评审”进行，系统将自动带入教学工作量和科研成果登记信息，请先核对。代表作须隐去姓名后上传用于校外评议。

政策咨询每周二、四下午在行政楼 118，电话 8709。对评审结果有异议的，可在公示期内申请复核，由未参加原评审的专家独立进行。`,
    bodyEn: `
The annual procedure for academic promotion begins today.

Applicants submit at most five representative works; textbooks, standards, software and artistic works count like papers. Journal ranks, impact factors and citation counts are no longer asked for. Those on the teaching track add three records of class visits and two years of students’ comments in full. Time lost through childbirth or serious illness is added to the period of assessment.

Applications are open until {+14e}, 17:00, under “Academic promotion”. Advice: room 118, Administration Building, Tuesday and Thursday afternoons, telephone 8709.`,
  },
  {
    title: '关于报送下学期教学任务和教室需求的通知',
    en: 'Teaching load and room requests for next term',
    by: 'O03',
    days: 2,
    time: '09:00',
    author: '教务处教学运行科',
    picture: 'lecture-hall',
    summary: '研讨课、多机位录播和可移动桌椅教室请提前注明，残障学生所在班级优先安排无障碍教室。',
    body: `
下学期教学任务落实工作已经开始，请各学院于{+9}前在教务系统中完成教学任务报送，并注意以下几点。

一、任课教师须逐一确认，不得以“待定”上报；外聘教师须先完成资格审核。

二、教室需求请按实际注明：可移动桌椅、录播、机房、靠近实验室等。全校可移动桌椅教室已增至六十二间，研讨课优先。

三、有行动不便学生的班级，由系统自动标识，全部课程排在有电梯或一层教室，请勿手工调换。

四、教师可提出两个“不排课”时段。有哺乳、接送低龄子女、治疗需要的，可多提一个，由学院教学秘书登记，不需要向其他人说明原因。

五、实验课与理论课须间隔至少一节。晚间课程不晚于 20:05 结束。

排课初稿将于{+23}公布，核对期五个工作日。联系电话：8103。`,
  },
  {
    title: '教师发展中心工作坊：怎样写一份学生看得懂的评分标准',
    en: 'Workshop: marking criteria that students understand',
    by: 'O25',
    days: 5,
    time: '14:00',
    author: '教师发展中心',
    picture: 'seminar',
    summary: '带一份自己的作业来，两小时后带一份改好的评分标准走，限二十四人。',
    body: `
“这道题为什么扣三分？”如果这个问题每学期都要回答几十遍，也许不是学生的问题。

教师发展中心将于{+6w} 14:30—16:30 在教一 210 举办工作坊，由外国语学院叶若彤、机械学院陆振宏两位教师共同主持。参加者请带一份自己布置过的作业和三份学生作业（隐去姓名），在工作坊中完成三件事：

1. 用一句话写出“满分的作业长什么样”；
2. 把扣分点改写成四档描述，每档不超过三十个字；
3. 交换批改，看看两个人给同一份作业的分数差多少。

上一期的二十四位教师第一次交换批改，同一份作业最大相差二十一分，修改标准后缩小到六分。

限二十四人，“一表通—培训报名”中登记，计四个继续教育学时。中心备有茶点，无须着正装。`,
  },
  {
    title: '关于加强科研经费劳务费发放管理的说明',
    en: 'Paying people from research budgets: what applies',
    by: 'O10',
    days: 11,
    time: '10:30',
    author: '财务处',
    summary: '简化校内人员发放手续，校外人员须实名实卡，一次性发放超过五千元需附工作说明。',
    body: `
近期财务处在复核中发现部分酬金申报材料反复退回，影响到账时间。现对常见问题说明如下。

**可以简化的。** 在读研究生助研津贴按月自动发放，不再逐月签字；校内教师讲座费、评审费凭申报单发放，不再附通知原件；金额五百元以下的志愿者补贴可按名单汇总。

**必须坚持的。** 校外人员一律实名实卡，不得代领；一次性超过五千元的，附一页工作说明，写清做了什么、做了多久；不得将设备费、材料费变通为劳务费。

**到账时间。** 每月 10 日、25 日两批，申报截至前三个工作日。材料齐全的，三天内审核完毕；退回的，系统会写明缺什么，一次说清。

如认为退回理由不合理，请直接在单据上点“申诉”，由科长以上人员在两个工作日内答复。财务处电话：8810。`,
  },
  {
    title: '教职工子女暑期与课后托管服务征求意见',
    en: 'After-school care for staff children: your views',
    by: 'O22',
    days: 18,
    time: '16:40',
    author: '校工会',
    picture: 'volunteers',
    summary: '拟在教工之家开设课后班，周一至周五至十八时三十分，请用三分钟填写需求问卷。',
    body: `
许多青年教职工反映，孩子放学早、自己下班晚，中间的两个小时最为难。校工会拟联合附属小学、体育部在教工之家开设课后托管班，现向全体教职工征求意见。

初步方案如下：对象为六至十二岁教职工子女；周一至周五 15:40—18:30，寒暑假全天；内容包括作业、体育、阅读和手工，**不补课**；每月收费不超过六百元，双职工和单亲家庭减半。

请在{+12}前填写问卷，约三分钟。请特别告诉我们三件事：您需要的时间段、最担心的问题、是否愿意每学期做一次志愿家长。

场地消防验收正在进行，如需求超过六十人，将同时启用江北校区。工会电话：8722。`,
    bodyEn: `
School ends early, work does not. The Staff Union plans after-school care for children of six to twelve in the Staff House, Monday to Friday from 15:40 to 18:30 and all day in the holidays: homework, sport, reading and crafts, **no cramming**. The fee will be at most 600 yuan a month, half for couples who both work here and for single parents.

Please answer three minutes of questions before {+12e}, and tell us what hours you need, what worries you, and whether you would help once a term. Telephone 8722.`,
  },
  {
    title: '新教师入职半年座谈：他们希望有人早点告诉自己的事',
    en: 'What new teachers wish somebody had told them',
    by: 'O09',
    days: 28,
    time: '17:00',
    author: '人事处师资科',
    picture: 'lecture',
    summary: '二十六位新教师列出四十三条“早知道就好了”，人事处逐条回应，其中十九条已改。',
    body: `
{-1}，人事处与教师发展中心邀请入职半年的二十六位新教师座谈，只讨论一个题目：有哪些事，你希望有人早点告诉你？

现场收集了四十三条，出现次数最多的包括：第一学期可以申请减免一门课；公租房要在报到当月申请；教学助理名额要在开课前四周报；启动经费当年没用完可以结转；学生邮件不必当天回，但要说清楚什么时候回。

人事处对四十三条逐一回应。其中十九条已经修改流程或补入《新教师手册》，十一条将在本学期内解决，其余十三条说明了暂时做不到的原因。

一位来自数学与统计学院的新教师说，最需要的不是更多培训，而是“有一个可以问傻问题的人”。自下学期起，每位新教师将配一名非本系的“邻居”，唯一的职责是每两周一起吃一次午饭，餐费由学校承担。`,
  },
]
