/** The institution's own texts for members, in the format of articles. */
export const agreement = {
  zh: `
{-97y}公布，{-90y}起生效。

## 一、协议的范围

本协议由您与江岚大学（以下简称“学校”）就使用江岚大学移动门户（以下简称“门户”）订立。门户为学校师生员工、校友和访客提供校内服务的统一入口，不以营利为目的。

## 二、账号

您以统一身份认证账号登录。账号仅限本人使用，不得出借、转让。请妥善保管密码；发现异常登录时，请立即修改密码并联系信息化服务台（8585）。离校、离职后，账号按学校规定转为校友账号或停用，停用前会提前三十天通知。

## 三、您可以做什么

您可以在门户中查询信息、办理业务、接收通知、安排日程，并对服务提出评价和建议。您发布的内容由您负责，请勿发布违法、侵权或泄露他人隐私的内容。

## 四、请不要这样做

不得以任何方式干扰门户运行，不得使用自动程序批量抓取数据或抢占名额，不得冒用他人身份，不得绕过访问权限。违反者，学校可以暂停其账号，并按有关规定处理。

## 五、来自其他系统的服务

门户中的部分服务由校内其他部门或外部单位提供。打开这些服务时，门户只提供完成登录所必需的身份信息，并在首次使用时告知您。服务本身的规则由提供方说明。

## 六、服务的变更与中断

学校会尽力保证门户稳定运行。计划内的维护至少提前一天通知；紧急维护会在门户首页说明。办理有截止时间的业务，请预留余量；因系统故障错过期限的，由主管部门顺延。

## 七、意见与争议

您可以通过“意见反馈”向我们提出建议或申诉，三个工作日内会得到答复。因使用门户产生的争议，优先协商解决；协商不成的，按国家有关法律处理。

## 八、协议的修改

协议修改后会在门户公示七天再生效。重要修改会再次征得您的同意。`,
  en: `
Published on {-97ye}, in effect since {-90ye}.

## 1. Scope

This agreement is between you and Jianglan University (“the University”) and concerns the use of its mobile portal (“the Portal”), the common entrance to campus services for students, staff, alumni and visitors. The Portal is not run for profit.

## 2. Your account

You sign in with your university account. It is yours alone and may not be lent or passed on. Keep your password safe; if you notice a sign-in that was not yours, change the password at once and call the IT service desk (8585). When you leave the University, the account becomes an alumni account or is closed, with thirty days’ notice.

## 3. What you may do

You may look up information, use services, receive notices, plan your days, rate services and make suggestions. You are responsible for what you publish; it must not be unlawful, infringe rights or disclose others’ private affairs.

## 4. What you may not do

Do not disturb the Portal, harvest data or places by automatic means, pose as somebody else or evade access rules. The University may suspend accounts that do.

## 5. Services of others

Some services are offered by other offices or outside parties. When you open one, the Portal hands over only the identity data needed to sign you in and tells you so the first time. The provider’s own rules apply.

## 6. Changes and interruptions

Planned maintenance is announced at least a day ahead, urgent maintenance on the home page. Where a fault of the system makes you miss a deadline, the office in charge extends it.

## 7. Suggestions and disputes

Suggestions and complaints sent by “Feedback” are answered within three working days. Disputes are settled by agreement where possible, otherwise by law.

## 8. Amendments

Changes are published in the Portal seven days before they take effect. For important ones we ask for your consent again.`,
}

export const privacy = {
  zh: `
{-67y}公布，{-60y}起生效。

本声明说明江岚大学移动门户处理哪些个人信息、为什么处理，以及您可以怎样管理它们。

## 一、我们处理的信息

- **身份信息**：姓名、学号或工号、所属单位、身份类型，来自学校的教务和人事系统；
- **联系方式**：手机号、邮箱，用于登录、找回密码和接收通知；
- **使用记录**：使用过的服务、收藏、消息的已读状态，用于在不同设备上保持一致；
- **设备信息**：设备型号、系统版本和登录地址，用于发现异常登录。

我们不收集通讯录和相册，也不在后台收集位置。扫码、拍照、定位等权限只在您使用相应功能时请求，拒绝不影响其他功能。

## 二、我们为什么需要它们

用于确认您是谁、您可以使用哪些服务，用于向您发送与您有关的通知，以及保障账号安全。统计报表只使用汇总后的数据，少于十人的分组不予显示。

## 三、与谁共享

除您主动打开的服务外，我们不向第三方提供个人信息。打开第三方服务时，只提供该服务所需的最少字段，您可以在“我的 › 设置 › 隐私 › 授权管理”中查看和撤回。法律规定必须提供的除外。

## 四、保存多久

登录日志保存一百八十天；消息保存三年；使用记录在您删除或账号注销后三十天内清除。数据保存在校内机房。

## 五、您的权利

您可以随时查看和更正个人信息、删除使用记录、撤回授权、关闭推送、注销账号。行使这些权利不收费，也不需要说明理由。

## 六、安全

数据传输全程加密，密码以不可逆方式保存，管理员的查询有记录并接受审计。如发生可能影响您的安全事件，我们会在七十二小时内通知您。

## 七、联系我们

个人信息保护负责人：信息化中心，信息楼 A102，电话 8585，邮箱 privacy@jianglan.example。`,
  en: `
Published on {-67ye}, in effect since {-60ye}.

This statement says what personal data the mobile portal of Jianglan University processes, why, and what you can do about it.

## 1. What we process

- **Identity**: name, student or staff number, department and kind of membership, from the registrar’s and personnel systems;
- **Contact**: mobile number and mail address, for signing in, recovering a password and sending notices;
- **Use**: services used, favourites and read marks, to keep your devices in sync;
- **Devices**: model, system version and address of sign-ins, to notice what is unusual.

We do not collect contacts or photographs, and no locations in the background. Camera and location are asked for only when you use a function that needs them; refusing affects nothing else.

## 2. Why

To know who you are and what you may use, to send you what concerns you, and to keep your account safe. Statistics use totals only; groups of fewer than ten are not shown.

## 3. With whom we share it

With nobody, except the services you open yourself. Those get the fewest fields they need; you can see and withdraw them under Me › Settings › Privacy › Connected services. What the law requires is excepted.

## 4. How long

Sign-in records 180 days; messages three years; records of use until you delete them, or thirty days after your account is closed. Data stay in the University’s own machine room.

## 5. Your rights

You may at any time see and correct your data, delete records, withdraw consent, switch off notifications and close your account, free of charge and without giving reasons.

## 6. Security

Transmission is encrypted, passwords are stored irreversibly, and administrators’ queries are recorded and audited. Should an incident affect you, we tell you within 72 hours.

## 7. Contact

Data protection: IT Centre, Information Building A102, telephone 8585, privacy@jianglan.example.`,
}

export const about = {
  zh: `
江岚大学移动门户是师生在手机上使用学校服务的统一入口：查课表、看通知、办业务、收消息，尽量少走几步路、少填几张表。

## 我们在意的事

- **快**：首页在普通手机和校园网络下两秒内可用；
- **清楚**：一件事只有一个入口，办到哪一步、等谁，看得见；
- **不打扰**：没有广告，没有强制弹窗，通知可以按来源关闭；
- **人人可用**：支持大字号、高对比度、读屏软件和键盘操作，中英文界面。

## 谁在维护

门户由信息化中心维护，四名学生参与开发。服务由各学院、各部门提供，出现问题时，服务页面上写着负责的部门和电话。

## 反馈

“我的 › 意见反馈”直达开发组，三个工作日内答复；也可以到信息楼 A102 坐下来聊，每周三下午都有人。`,
  en: `
The mobile portal of Jianglan University is the common entrance to campus services on a phone: timetable, notices, procedures and messages, with fewer steps and fewer forms.

## What we care about

- **Speed**: home is usable within two seconds on an ordinary phone;
- **Clarity**: one entrance for one thing; you can see where it stands and who has it now;
- **Calm**: no advertising, no forced pop-ups, and each source of notices can be switched off;
- **Everybody**: large type, high contrast, screen readers, the keyboard, Chinese and English.

## Who runs the portal

The IT Centre runs the Portal; four students help to develop it. Services belong to schools and offices: each page names the office and its telephone.

## Feedback

“Me › Feedback” reaches the developers directly and is answered within three working days. Or come to Information Building A102 on a Wednesday afternoon.`,
}
