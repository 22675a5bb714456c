import type { ConfigKey } from '@atrium/contract/config-keys'
import { articleHtml } from './article-text.ts'
import { addDays, at, dayOf, writeDates } from './dates.ts'
import { university } from './organizations.ts'
import { quickServices, services } from './services.ts'
import * as policies from './settings-policies.ts'
import { about, agreement, privacy } from './settings-texts.ts'

export type DemoNotice = {
  title: string
  titleEn: string
  content: string
  contentEn: string
  startsAt: Date
  endsAt: Date
}

const numberOf = (name: string) => {
  const service = services.find((one) => one.name === name)
  if (!service) throw new Error(`There is no service ${name} in the demo institution`)
  return service.serviceNo
}

/** How many days ago texts that state a date were last changed. */
export const changedDaysAgo: Partial<Record<string, number>> = {
  userAgreement: 97,
  userAgreementEn: 97,
  userPrivacy: 67,
  userPrivacyEn: 67,
}

/** The demo's settings that differ from the defaults. */
export function settings(now: Date): Partial<Record<ConfigKey, string>> {
  const written = (text: string) => articleHtml(writeDates(text, dayOf(now)))
  return {
    schoolName: university.name,
    schoolNameEn: university.nameEn,
    quickServices: JSON.stringify(
      Object.fromEntries(
        Object.entries(quickServices).map(([label, names]) => [label, names.map(numberOf)]),
      ),
    ),
    searchHints: JSON.stringify({
      student: [
        { zh: '选课', en: 'course choice' },
        { zh: '校车时刻', en: 'bus times' },
        { zh: '自习室', en: 'study rooms' },
      ],
      teacher: [
        { zh: '调课申请', en: 'moving a class' },
        { zh: '差旅报销', en: 'travel claims' },
        { zh: '教室借用', en: 'booking a room' },
      ],
      admin: [
        { zh: '会议室', en: 'meeting rooms' },
        { zh: '用印申请', en: 'use of the seal' },
      ],
      visitor: [
        { zh: '校园地图', en: 'campus map' },
        { zh: '校历', en: 'academic calendar' },
      ],
    }),
    defaultSearchWord: '选课',
    defaultSearchWordEn: 'Course selection',
    // Only today's articles: with more days, almost every article at the top of a list would be new.
    ENV_NEWS_NEW_ITON_DAYS: '1',
    enableServiceEvaluate: '2',
    ENV_ENABLE_DEPARTMENT_WORK_BENCH: '1',
    ENV_SHOW_GUIDE: '1',
    ENV_NEWS_SHARE_TYPE: 'regular',
    ENV_SERVICE_SHARE_TYPE: 'regular',
    // The demo's services do not exist: a probe would report all of them as down.
    serviceProbeMinutes: '0',
    ENV_ENABLE_ADDRESSLIST: '1',
    ENV_IS_SHOW_RECOMMEND_ICON: '0',
    enableFilePreview: '1',
    eCardSets: JSON.stringify({ showBalance: '1', payCode: '1' }),
    scanWhiteList: JSON.stringify([
      'https://www.jianglan.example/',
      'https://second.jianglan.example/',
    ]),
    userAgreement: written(agreement.zh),
    userAgreementEn: written(agreement.en),
    userPrivacy: written(privacy.zh),
    userPrivacyEn: written(privacy.en),
    aboutText: articleHtml(about.zh),
    aboutTextEn: articleHtml(about.en),
    ...Object.fromEntries(
      Object.entries(policies).flatMap(([name, { zh, en }]) => [
        [name, articleHtml(zh)],
        [`${name}En`, articleHtml(en)],
      ]),
    ),
  }
}

/** Short platform notices, each valid for some days around today. */
export function noticesAt(now: Date): DemoNotice[] {
  const today = dayOf(now)
  return notices.map(([from, to, title, titleEn, content, contentEn]) => ({
    title: writeDates(title, today),
    titleEn: writeDates(titleEn, today),
    content: articleHtml(writeDates(content, today)),
    contentEn: articleHtml(writeDates(contentEn, today)),
    startsAt: at(addDays(today, from), '00:00'),
    endsAt: at(addDays(today, to), '23:59'),
  }))
}

const notices: [
  from: number,
  to: number,
  title: string,
  titleEn: string,
  content: string,
  contentEn: string,
][] = [
  [
    -1,
    5,
    '下学期选课预选 {+1} 10:00 开放，先选后选机会相同',
    'Course selection opens {+1e} at 10:00: early or late, the chance is the same',
    '预选不限名额，结束后抽签，不必在开放时刻集中登录。规则见通知公告。',
    'Places are drawn by lot after the first round; there is no need to sign in at the opening minute.',
  ],
  [
    0,
    0,
    '校园云盘今晚 23:00 起扩容，期间只读',
    'Cloud drive is read-only from 23:00 tonight',
    '今晚 23:00 至次日 6:00 可以下载和预览，不能上传、移动和删除。',
    'From 23:00 to 6:00 files can be read, not uploaded, moved or deleted.',
  ],
  [
    -2,
    3,
    '兰苑、竹苑 {+1} 23:00 起停水约五小时',
    'No water in Orchid and Bamboo Courts from 23:00 on {+1e}',
    '恢复供水前请确认水龙头已关闭，临时取水点见通知公告。',
    'Please check that taps are closed. Temporary taps are listed in the announcement.',
  ],
  [
    -4,
    12,
    '谨防冒充“信息化中心”的邮件：学校不会索要密码',
    'Beware of mails in the name of the IT Centre: we never ask for passwords',
    '如已填写，请立即修改密码并拨打 8585。',
    'If you gave yours away, change it at once and call 8585.',
  ],
  [
    -10,
    20,
    '图书馆“还书不罚款”活动进行中',
    'Library amnesty: bring books back, pay nothing',
    '活动期间归还超期图书免除全部超期费用。',
    'Overdue books may be returned without any charge.',
  ],
  [
    -30,
    -3,
    '校运动会期间田径场停止开放',
    'Sports ground closed during the sports meeting',
    '请改用体育馆。',
    'Please use the Sports Hall.',
  ],
]
