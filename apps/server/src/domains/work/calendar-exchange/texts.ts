import type { CalendarReason, SubscriptionProblem } from '@atrium/contract/work/calendar-exchange'

type Texts<Key extends string> = Record<'zh' | 'en', Record<Key, (detail: string) => string>>

/** Why an event is left out or not imported unchanged. */
export const reasonTexts: Texts<CalendarReason> = {
  zh: {
    severalRules: () => '有多条重复规则，只支持一条',
    wholeDaysWithin: () => '是全天日程，却在一天之内重复',
    allFollowing: () => '修改了“本次及以后”的日程，暂不支持',
    noStart: () => '没有开始时间',
    noTime: (property) => `${property} 中没有时间`,
    endsBefore: () => '结束时间早于开始时间',
    tooLong: () => '时长超过一年',
    badDate: (date) => `日期 ${date} 不正确`,
    unknownZone: (zone) => `时区 ${zone} 无法识别`,
    unreadable: () => '内容或重复规则无法识别',
    older: () => '文件中有更新的版本，以新版本为准',
    excluded: () => '修改的这一次已从重复日程中排除',
    frequent: () => '重复过于频繁，只显示今天前后的部分',
  },
  en: {
    severalRules: () => 'It has several recurrence rules; only one is supported.',
    wholeDaysWithin: () => 'It is an all-day event, but repeats within a day.',
    allFollowing: () => 'It changes an occurrence and all that follow, which is not supported.',
    noStart: () => 'It has no start.',
    noTime: (property) => `It has no time in ${property}.`,
    endsBefore: () => 'It ends before it starts.',
    tooLong: () => 'It lasts longer than a year.',
    badDate: (date) => `The date ${date} is not valid.`,
    unknownZone: (zone) => `The time zone ${zone} is not known.`,
    unreadable: () => 'It, or its recurrence rule, cannot be read.',
    older: () => 'The file has a newer version of it, which is used.',
    excluded: () => 'It changes an occurrence that the series excludes.',
    frequent: () => 'It repeats so often that only the time around today is shown.',
  },
}

/** Why an outside calendar could not be read. */
export const problemTexts: Texts<SubscriptionProblem> = {
  zh: {
    unreachable: () => '无法连接到该地址，请检查地址是否正确',
    closed: () => '该地址在学校内网，不能订阅',
    insecure: () => '该地址会跳转到不加密的网址，不能订阅',
    late: () => '对方 20 秒内没有回应',
    large: () => '日历超过 5 MB，无法订阅',
    signIn: () => '该地址需要登录，请使用日历的私密地址',
    gone: () => '该地址上已没有日历',
    status: (status) => `对方暂时无法提供日历（状态 ${status}）`,
    notCalendar: () => '该地址上的内容不是 iCalendar 日历',
    tooMany: () => '日历中的日程超过 5000 个，无法订阅',
    tooComplex: () => '日历中重复的日程太多，无法订阅',
    failed: () => '出现意外错误，稍后会自动重试',
  },
  en: {
    unreachable: () => 'The address cannot be reached. Please check that it is right.',
    closed: () => 'The address is inside the institution’s network and cannot be used.',
    insecure: () => 'The address redirects to one without encryption and cannot be used.',
    late: () => 'There was no answer within 20 seconds.',
    large: () => 'The calendar is larger than 5 MB and cannot be used.',
    signIn: () => 'The address asks for a sign-in. Please use the private address of the calendar.',
    gone: () => 'This address no longer has a calendar.',
    status: (status) => `The other site cannot provide the calendar right now (status ${status}).`,
    notCalendar: () => 'The content of this address is not an iCalendar calendar.',
    tooMany: () => 'The calendar has more than 5,000 events and cannot be used.',
    tooComplex: () => 'The calendar has too many repeating events and cannot be used.',
    failed: () => 'Something unexpected went wrong. It will be retried automatically.',
  },
}
