import type { Entry, EntrySource } from '#platform/search-source.ts'

type Page = [path: string, title: string, titleEn: string, words: string, access?: 'everybody']

/** Screens and settings of the portal that people search by name, with alternative words. */
const pages: readonly Page[] = [
  ['/pages/tab/service/index', '服务', 'Services', '应用 办事 apps', 'everybody'],
  ['/pages/msgCenterTab/newtask/newtask', '消息', 'Messages', '通知 收件箱 inbox notifications'],
  ['/pages/tab/schedule/schedule', '日程中心', 'Schedule', '课表 课程表 日历 timetable calendar'],
  ['/pagesA/news/news', '资讯', 'News', '新闻 公告 通知', 'everybody'],
  ['/msgCenter/pages/task/personaltodo', '个人待办', 'My to-dos', '清单 todo list'],
  ['/msgCenter/pages/task/applications', '发起申请', 'Apply', '请假 报销 审批 leave request form'],
  ['/msgCenter/pages/task/delegations', '待办委托', 'Delegation', '代办 代理 stand-in'],
  ['/pages/shedul/creatShedul', '新建日程', 'New event', '添加日程 会议 meeting'],
  ['/msgCenter/pages/task/addtodo', '新建待办', 'New to-do', '添加待办 提醒 reminder'],
  ['/pages/shedul/calendList', '日历', 'Calendars', '订阅日历'],
  ['/pages/shedul/importCalendar', '导入日历文件', 'Import a calendar file', 'ics'],
  [
    '/pages/shedul/phoneCalendar',
    '与手机日历同步',
    'Sync with your phone’s calendar',
    '专用密码 同步 caldav app password sync iphone android',
  ],
  [
    '/pages/shedul/calendarFeeds',
    '在其他日历中查看',
    'View in another calendar',
    '手机日历 outlook google apple',
  ],
  ['/pages/shedul/shedulSet', '日程设置', 'Schedule settings', '时区 time zone'],
  ['/pages/set/set', '设置', 'Settings', '语言 字号 深色 夜间 language text size dark mode theme'],
  ['/pages/set/notify', '通知设置', 'Notifications', '推送 免打扰 勿扰 push quiet hours mute'],
  ['/pagesA/safeSet/safeSet', '账号安全', 'Account security', '安全中心'],
  ['/pages/modifyPwd/modifyPwd', '修改密码', 'Change password', '改密码 密码'],
  ['/pages/modifyPwd/newPhone', '绑定手机号', 'Mobile number', '手机 换手机号 phone'],
  ['/pages/modifyPwd/email', '绑定邮箱', 'Email', '邮件 换邮箱'],
  [
    '/pagesA/safeSet/secondFactor',
    '两步验证',
    'Two-step verification',
    '双因素 动态口令 mfa totp 2fa',
  ],
  ['/pagesA/safeSet/passkeys', '通行密钥', 'Passkeys', '指纹 面容 人脸 face fingerprint'],
  ['/pagesA/loginWay/loginWay', '登录方式', 'Ways to sign in', '微信登录 绑定微信 wechat'],
  ['/pages/set/devices', '登录设备', 'Devices', '退出其他设备 下线'],
  ['/pages/set/signInRecords', '登录记录', 'Sign-in history', '登录日志'],
  ['/pages/set/changeAccount', '切换账号', 'Switch account', '换账号 换身份'],
  ['/pages/myInfo/myInfo', '个人资料', 'Profile', '头像 昵称 我的信息 photo'],
  ['/pages/myInfo/files', '我的文件', 'My files', '上传 附件 uploads'],
  ['/pages/myInfo/authorizationManage', '授权管理', 'Connected services', '第三方授权 取消授权'],
  ['/pagesA/myFavorite/myFavorite', '我的收藏', 'Favourites', '收藏夹 bookmarks'],
  ['/pagesA/newsHistory/newsHistory', '浏览历史', 'Reading history', '看过 足迹'],
  ['/pages/privacy/privacy', '隐私', 'Privacy', '个人信息 下载我的数据 export my data'],
  ['/pages/privacy/privacySet', '隐私设置', 'Privacy settings', '谁可以看 手机号可见'],
  ['/pages/privacy/blackList', '黑名单', 'Blocked members', '屏蔽 拉黑 block'],
  ['/pages/privacy/closeAccount', '注销账号', 'Close account', '删除账号 delete account'],
  [
    '/msgCenter/pages/news/throughTrain',
    '直通车',
    'Write to a department',
    '校长信箱 意见 建议 投诉 反馈 letter feedback complaint',
  ],
  ['/pages/myInfo/suggest', '意见反馈', 'Feedback', '吐槽 报错 report a problem'],
  ['/pages/service/ranking', '服务排行', 'Service rankings', '热门服务 popular', 'everybody'],
  [
    '/pages/map/places',
    '身边地点',
    'Places nearby',
    '校园地图 附近 导航 开放时间 map near me opening hours',
    'everybody',
  ],
  ['/pages/about/about', '关于', 'About', '版本 version', 'everybody'],
  ['/pages/privacyPolicy/index', '隐私政策', 'Privacy statement', '', 'everybody'],
  ['/pages/privacyPolicy/agreement', '用户协议', 'User agreement', '', 'everybody'],
]

const entries = pages.map(
  ([path, title, titleEn, words, access]): Entry => ({
    id: path,
    title,
    titleEn,
    words: words.split(' ').filter(Boolean),
    to: path,
    shownTo: access ?? 'members',
  }),
)

export const portalPages: EntrySource = {
  kind: 'page',
  topics: [],
  entries: async () => entries,
}
