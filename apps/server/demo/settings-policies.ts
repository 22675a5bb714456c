/** The fictional university's policies other than the privacy statement, in the format of articles. */
export const privacyGuidelines = {
  zh: `
这份指引用三分钟说明：门户会请求手机的哪些权限，为什么，以及怎样关掉。

## 相机

扫一扫、拍照上传材料和更换头像时使用。门户不在后台使用相机，识别二维码在手机上完成，画面不会上传。

## 位置

选择地点、查看校园地图时使用，只在您点按“定位”的那一刻读取一次。不授权也可以从地点列表中选择。

## 动作与方向

仅在您打开“摇一摇”后使用，用来识别摇动手势，不保存任何数据。

## 通知与角标

用来提醒新消息。您可以在“我的 › 设置 › 通知设置”中按应用关闭，也可以在手机系统设置中整体关闭。

## 怎样撤回

在手机系统的应用权限页，或浏览器地址栏左侧的网站设置里，随时可以撤回任何一项权限。撤回后，相关功能会提示您换一种方式继续。`,
  en: `
Three minutes on which permissions the Portal asks your phone for, why, and how to turn them off.

## Camera

For scanning codes, photographing documents and changing your portrait. The camera is never used in the background; codes are read on the phone and pictures of them are not uploaded.

## Location

For choosing a place and looking at the campus map, read once at the moment you tap “Locate”. Without it you can pick a place from the list.

## Motion

Only after you turn on “Shake”, to recognise the gesture. Nothing is stored.

## Notifications and badge

To tell you about new messages. Turn them off for each application under Me › Settings › Notifications, or altogether in your phone’s settings.

## Withdrawing permission

In your phone’s settings, or beside the address in your browser, any time. The functions concerned then offer another way.`,
}

export const faceProtocol = {
  zh: `
## 用在哪里

人脸识别目前只用于图书馆和宿舍的闸机通行，以及线上考试前的身份核验。门户登录不使用人脸识别。

## 我们保存什么

从您提交的照片中提取的特征值，加密保存在学校机房，不保存原始照片，不提供给任何外部单位。毕业或离职后三十天内删除。

## 这是自愿的

您可以不启用人脸识别：刷校园卡、出示动态码或由工作人员核验，同样可以通行和考试，不会因此受到差别对待。

## 撤回同意

请联系信息化服务台（8585）关闭人脸通行，特征值当天删除。对识别结果有异议，也请联系服务台。`,
  en: `
## Where it is used

Face recognition opens the gates of the library and the dormitories and checks identities before online exams. Signing in to the Portal does not use it.

## What we keep

Features computed from the photograph you submit, encrypted, on the University’s own machines. The photograph itself is not kept, and nothing is given to anybody outside. All of it is deleted within thirty days after you leave.

## It is voluntary

Your campus card, a one-time code or a member of staff opens the same gates and the same exams. Nobody is treated differently for it.

## Withdrawing consent

Call the IT service desk (8585) to turn off face recognition; the features are deleted the same day. Call it too if a result was wrong.`,
}

export const personalInformation = {
  zh: `
门户处理的个人信息只有以下几类，用途之外不使用。

- **姓名、学号或工号、身份、院系**：由教务处、人力资源处提供，用于登录和显示可用服务，在校期间保存。
- **手机号、邮箱**：由您填写，用于通知和找回密码，保存至您删除。
- **课表、日程**：由教务处提供或由您填写，用于日程与提醒，在校期间保存。
- **消息与待办**：由各业务系统发来，用于通知与办理，保存三年。
- **登录时间、设备、大致地点**：登录时产生，用于账号安全，保存一百八十天。
- **使用过的服务**：打开服务时产生，用于常用服务和服务改进，保存至您删除，或账号注销后三十天。

您可以在“我的 › 设置 › 隐私”中查看、更正和导出这些信息。`,
  en: `
The Portal processes the following personal information and no other, for these purposes alone.

- **Name, number, identity, department**: from the registrar’s and personnel offices, for signing in and showing your services; kept while you are a member.
- **Telephone, email**: entered by you, for notices and recovering a password; kept until you delete them.
- **Timetable, events**: from the registrar’s office or entered by you, for schedule and reminders; kept while you are a member.
- **Messages and tasks**: from campus systems, for notices and handling; kept for three years.
- **Sign-ins (time, device, rough place)**: for the security of your account; kept for 180 days.
- **Services you opened**: for your frequent services and improvements; kept until you delete them, or 30 days after your account is closed.

Under Me › Settings › Privacy you can see, correct and export it.`,
}

export const thirdParty = {
  zh: `
## 校外单位

门户不内置任何广告、统计或推送的第三方组件。以下校外单位只在您主动使用相应服务时获得必要的信息：

- 一卡通充值：合作银行获得学号和充值金额。
- 公交乘车码：市公交集团获得一次性乘车凭证，不含姓名。
- 企业邮箱：邮箱服务商保存您的邮件，学校与其签有数据处理协议。

## 校内系统

打开由其他部门提供的服务时，门户向其提供只对该服务有效、很快过期的登录凭证。第一次打开时会列出它要求的信息，由您决定是否继续；以后可以在“我的 › 设置 › 隐私 › 授权管理”中撤回。`,
  en: `
## Outside the University

The Portal contains no third-party components for advertising, statistics or notifications. The following receive what they need, and only when you use the service in question:

- Topping up the campus card: the partner bank receives your number and the amount.
- Bus code: the city’s bus company receives a one-time ticket without your name.
- Mail: the mail provider keeps your mail under a data processing agreement.

## Inside the University

When you open another department’s service, it gets a credential that is good for that service alone and soon ends. The first time you see what it asks for and decide; later you can withdraw it under Me › Settings › Privacy › Connected services.`,
}

export const privacyProtection = {
  zh: `
## 我们的做法

- 少收集：能不要的信息不要，能在手机上完成的不上传。
- 加密传输，密码只保存无法还原的摘要，证件号和银行卡号不经过门户。
- 谁看过您的资料都有记录，工作人员按岗位授权，离岗即收回。
- 每年请校外机构做一次安全检查，结果在校园网公布。

## 未成年人

附属学校的未成年学生使用门户，须由监护人同意；其资料默认对他人不可见。

## 出了问题怎么办

发生可能影响您的信息泄露时，我们在 72 小时内通过消息和短信告知您，并说明您可以做什么。

## 联系我们

隐私事务请写信至 privacy@jianglan.example，或到信息楼 A102，工作日 8:30 至 17:00。`,
  en: `
## What we do

- Collect little: what is not needed is not asked for, and what your phone can do is not uploaded.
- Everything travels encrypted; of passwords only a digest is kept that cannot be turned back. Identity and bank card numbers do not pass through the Portal.
- Who looked at your data is recorded. Staff have rights by their post and lose them with it.
- Once a year somebody outside checks our security; the result is published on campus.

## Minors

Minors at the affiliated schools use the Portal with their guardians’ consent; others do not see their data unless they choose so.

## If something goes wrong

If data of yours may have leaked, we tell you within 72 hours by message and text, and say what you can do.

## Contact

privacy@jianglan.example, or come to Information Building A102, working days 8:30 to 17:00.`,
}

export const aboutDetail = {
  zh: `
## 为什么做这个门户

过去，办一件事要记住七个网址、四个密码。江岚大学移动门户把它们放到一处：一次登录，看到与您有关的服务、消息和日程。

## 门户的成长

2024 年秋季学期试用，最早只有请假和成绩查询；如今有一百多项服务。每学期我们从意见反馈里挑出提得最多的十件事先做。

## 谁在维护

信息化中心的六人小组，和四名学生。门户基于开源软件 Atrium（Apache-2.0 许可）。`,
  en: `
## Why there is a portal

There was a time when getting something done meant remembering seven addresses and four passwords. The Jianglan mobile portal puts them in one place: sign in once and see the services, messages and events that concern you.

## How it grows

It was tried in the autumn term of 2024 with leave and grades alone; today there are more than a hundred services. Every term we take the ten things people asked for most and do those first.

## Who runs the portal

Six people at the IT Centre and four students. The portal is built on the open-source software Atrium (Apache-2.0).`,
}
