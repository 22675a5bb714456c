// Over 400 lines: a single lookup table.
/**
 * Map 3: every configuration key, its allowed values and its meaning. Values are strings on the wire and in the table.
 * `visitor` keys are sent to people who have not signed in, `operatorsOnly` keys to operators only. config-checks.ts
 * validates a value against its key.
 */
export type ConfigKind =
  | 'choice'
  | 'text'
  | 'html'
  | 'number'
  | 'numberOrEmpty'
  | 'jsonArray'
  | 'jsonObject'
  | 'textArray'
  | 'textMap'
  | 'route'
  | 'address'
  | 'eventAddress'
  | 'tileAddress'
  | 'zone'
  | 'hosts'
  | 'base'
  | 'networks'
export type ConfigEntry = {
  kind: ConfigKind
  choices?: readonly string[]
  initial: string
  visitor: boolean
  operatorsOnly?: true
  means: string
}

export const configKeys = {
  ENV_NEWS_SHARE_TYPE: {
    kind: 'choice',
    choices: ['off', 'regular', 'quick', 'other'],
    initial: 'off',
    visitor: true,
    means: 'news share type; codes off=0, regular=1, quick=2, other=1',
  },
  ENV_SERVICE_SHARE_TYPE: {
    kind: 'choice',
    choices: ['off', 'regular', 'quick', 'direct', 'other'],
    initial: 'off',
    visitor: true,
    means: 'service share type; codes off=0, regular=1, quick=2, direct=3, other=1',
  },
  ENV_APP_TODO_MODULE_SETTING: {
    kind: 'jsonArray',
    initial: '[]',
    visitor: true,
    means:
      'first-level tabs of the task tab (myTodo, myDone, myRequest, myReaded, myDraft) and their order: names, or objects such as {"level": "myRequest", "initial": "progress"}, whose initial says what of the list shows first (myRequest: all, progress, finish, break, hang; myReaded: toMe, Meto), a list of them what is offered at all; empty: all',
  },
  ENV_APP_MOURNING_MODE: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'grey tab bar and pages',
  },
  ENV_SHOW_GUIDE: {
    kind: 'choice',
    choices: ['0', '1', '2'],
    initial: '0',
    visitor: true,
    means:
      'service guide: 0 off, 1 newGuide, 2 serviceGuide (isEnableServiceGuide in the module settings is its twin)',
  },
  ENV_OPENING_PAGE: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'enableOpeningPage',
  },
  ENV_ENABLE_SLIDESHOW: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'slideshow on the home tab',
  },
  ENV_DIVERSION_PAGE: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'diversion page',
  },
  ENV_ENABLE_DEPARTMENT_WORK_BENCH: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'department workbench (pages/secondWork)',
  },
  ENV_ENABLE_MOBILE_FESTIVAL_THEME: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'festival theme of the tab bar',
  },
  ENV_ALIYUN: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'smart robot',
  },
  ENV_ENABLE_ADDRESSLIST: {
    kind: 'text',
    initial: '',
    visitor: true,
    means: 'address book; on when a non-empty string',
  },
  ENV_NEWS_NEW_ITON_DAYS: {
    kind: 'numberOrEmpty',
    initial: '',
    visitor: true,
    means: 'how long a news item counts as new',
  },
  enableServiceEvaluate: {
    kind: 'choice',
    choices: ['0', '1', '2', '3'],
    initial: '0',
    visitor: true,
    means: 'evaluation of services: 0 off, 1 simple, 2 detailed, 3 simple',
  },
  ENV_SCHEDULES_VIEW: {
    kind: 'choice',
    choices: ['month', 'week', 'day', 'list'],
    initial: 'month',
    visitor: true,
    means: 'first view of the schedule tab',
  },
  ENV_IS_SHOW_RECOMMEND_ICON: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: "hide-recommend-icon flag: '1' hides the mark on recommended services",
  },
  ENV_APP_IF_SHOW_AGGRE_SERVICE_ICON: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'show the icon of aggregated services',
  },
  servicesNumPerRow: { kind: 'number', initial: '5', visitor: true, means: 'services in a row' },
  isShowScan: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'scan entry on home',
  },
  isShowRobot: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'robot entry',
  },
  isShowMessage: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'message entry',
  },
  isShowFeedback: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'feedback entry',
  },
  isShowFavorite: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'favourites entry',
  },
  isShowAboutUs: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'about entry',
  },
  isShowProtocol: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'protocol entry',
  },
  isShowSafeSet: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'account security entry',
  },
  isOpenGlobalSearch: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'global search',
  },
  isShowBadge: {
    kind: 'choice',
    choices: ['message', 'none'],
    initial: 'message',
    visitor: true,
    means: 'which tab carries the badge',
  },
  muteBadge: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: '1 forces the badge count to 0',
  },
  sortIndex: { kind: 'number', initial: '1', visitor: true, means: 'sort index' },
  defaultSearchWord: {
    kind: 'text',
    initial: '',
    visitor: true,
    means: 'default search word: what an empty search looks for',
  },
  defaultSearchWordEn: {
    kind: 'text',
    initial: '',
    visitor: true,
    means:
      'default search word in English; without one, readers of English are told what can be searched',
  },
  enableVpn: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'VPN setting of the host app',
  },
  enableFilePreview: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'file preview',
  },
  enableThumbnail: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'thumbnails by the image service; off, or without a title image: none',
  },
  requestTimeout: {
    kind: 'numberOrEmpty',
    initial: '',
    visitor: true,
    means:
      'request timeout for all clients; empty: 10000 in the login-free client, 60000 elsewhere',
  },
  scanWhiteList: {
    kind: 'textArray',
    initial: '[]',
    visitor: true,
    means: 'targets a scan may open; others show as plain text',
  },
  casHosts: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    means: 'allowed central-login hosts',
  },
  casArry: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    means: 'addresses that need the central login',
  },
  authCollects: {
    kind: 'textMap',
    initial: '{}',
    visitor: false,
    means: 'token parameters by address',
  },
  disableCasArry: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: false,
    means: '1 turns casArry off',
  },
  oriCasUrl: { kind: 'address', initial: '', visitor: false, means: 'central login, original' },
  casUrl: { kind: 'address', initial: '', visitor: false, means: 'central login' },
  pcPortalUrl: { kind: 'address', initial: '', visitor: true, means: 'the PC portal' },
  eCardSets: {
    kind: 'jsonObject',
    initial: '{}',
    visitor: true,
    means:
      'what of the campus card is not shown: showBalance, payCode, flow, limits or freeze as 0',
  },
  shake: {
    kind: 'textMap',
    initial: '{"openShake":"0","shake_link":""}',
    visitor: true,
    means: 'shake the phone to open a link',
  },
  ENV_OPENING_PAGE_TOURIST: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'show the tourist list of opening pages to visitors',
  },
  newsRoute: {
    kind: 'route',
    initial: '/pages/msgCenterTab/news/news',
    visitor: true,
    means: 'the configured news route',
  },
  newtaskRoute: {
    kind: 'route',
    initial: '/pages/msgCenterTab/newtask/newtask',
    visitor: true,
    means: 'the configured new-task route',
  },
  newsUrl: { kind: 'address', initial: '', visitor: true, means: 'what news-webview shows' },
  newtaskUrl: { kind: 'address', initial: '', visitor: true, means: 'what newtask-webview shows' },
  scheduleUrl: {
    kind: 'address',
    initial: '',
    visitor: true,
    means: "what schedule-webview shows; empty: the portal's own schedule without tab bar",
  },
  eventUrl: {
    kind: 'eventAddress',
    initial: 'own',
    visitor: true,
    means: 'where events are recorded; empty: recording is off',
  },
  mapTileUrl: {
    kind: 'tileAddress',
    initial: '',
    visitor: true,
    means: 'map tiles; empty: places as a list and coordinates',
  },
  imageHosts: {
    kind: 'hosts',
    initial: '[]',
    visitor: false,
    means:
      'hosts whose pictures we show, made smaller and through our own address: a JSON array of names, with a port where it is not the usual one',
  },
  mediaHosts: {
    kind: 'hosts',
    initial: '[]',
    visitor: true,
    means:
      'hosts whose films and sound play inside the app: a JSON array of names, with a port where it is not the usual one; others open outside',
  },
  uploadLargestMB: {
    kind: 'number',
    initial: '200',
    visitor: false,
    operatorsOnly: true,
    means: 'megabytes of one uploaded file, at most',
  },
  uploadQuotaMB: {
    kind: 'number',
    initial: '1024',
    visitor: false,
    operatorsOnly: true,
    means: 'megabytes of all files of one member, at most',
  },
  uploadGraceHours: {
    kind: 'number',
    initial: '168',
    visitor: false,
    operatorsOnly: true,
    means: 'hours for which a file is kept that nothing refers to',
  },
  timeZone: {
    kind: 'zone',
    initial: 'Asia/Shanghai',
    visitor: true,
    means: "the institution's time zone",
  },
  onlineActShowTimes: {
    kind: 'number',
    initial: '1',
    visitor: true,
    means: 'how often a session shows the operations card',
  },
  serviceProbeMinutes: {
    kind: 'number',
    initial: '5',
    visitor: false,
    operatorsOnly: true,
    means:
      'minutes between two probes of a host that services are on, at least; more while it is down; 0: none is probed',
  },
  // Ours: how people sign in. The server enforces them; GET /token/login/configs returns what a sign-in page needs.
  agreementVersion: {
    kind: 'text',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'version of the user agreement and privacy statement; everybody accepts a new one at the next sign-in; empty: nothing to accept',
  },
  passwordMaxDays: {
    kind: 'number',
    initial: '0',
    visitor: false,
    operatorsOnly: true,
    means: 'days until a password has to be changed; 0: never',
  },
  captchaAfter: {
    kind: 'number',
    initial: '3',
    visitor: false,
    operatorsOnly: true,
    means:
      'failed sign-ins of an account after which the device has to solve a puzzle with each try, which nobody sees; of an address after ten times as many; 0: never',
  },
  smsLogin: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'signing in with a code sent to the mobile number',
  },
  scanLogin: {
    kind: 'choice',
    choices: ['0', '1', '2'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means:
      'signing in on a computer by scanning its code with a phone; 2: the phone has to show anew who its member is, which counts for the second factor',
  },
  codesPerAddress: {
    kind: 'number',
    initial: '20',
    visitor: false,
    operatorsOnly: true,
    means:
      'codes by message or mail that visitors behind one network address may ask for within an hour; a campus behind one address needs more',
  },
  smsDailyBudget: {
    kind: 'number',
    initial: '5000',
    visitor: false,
    operatorsOnly: true,
    means: 'short messages within 24 hours above which the log and the metrics raise an alarm',
  },
  passkeyLogin: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'signing in with a passkey instead of a password',
  },
  secondFactorFor: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means: 'codes of identity types that must give a second factor: a JSON array',
  },
  securityQuestions: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: false,
    operatorsOnly: true,
    means: 'security questions as an extra step in account security',
  },
  sessionIdleDays: {
    kind: 'number',
    initial: '14',
    visitor: false,
    operatorsOnly: true,
    means: 'days without use after which a session ends',
  },
  rememberMeDays: {
    kind: 'number',
    initial: '14',
    visitor: false,
    operatorsOnly: true,
    means:
      'days for which the central login may keep a browser signed in; 0: it does not offer to, 90 at most',
  },
  sessionAbsoluteDays: {
    kind: 'number',
    initial: '90',
    visitor: false,
    operatorsOnly: true,
    means: 'days after which a session ends in any case',
  },
  authenticationLogDays: {
    kind: 'number',
    initial: '190',
    visitor: false,
    operatorsOnly: true,
    means:
      'days for which sign-ins are kept for members and operators to read; the law of some countries asks for six months',
  },
  addressPlaces: {
    kind: 'networks',
    initial: '{}',
    visitor: false,
    operatorsOnly: true,
    means:
      'names of networks of the campus, shown beside sign-ins: a JSON object such as {"10.20.0.0/16": "宿舍区", "2001:da8::/32": "校园网"}; the narrowest counts',
  },
  closingDays: {
    kind: 'number',
    initial: '7',
    visitor: false,
    operatorsOnly: true,
    means: 'days an account that asked to be closed can still be kept',
  },
  accountClosing: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'members may ask for their account to be closed; 0: accounts are the institution’s',
  },
  // Ours: existing systems of the institution to which our server forwards calls; see upstreams.ts.
  servicesBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the service catalogue: calls below /portal-api/v1/service and /v2/service; it takes the place of /portal-api; empty: this server answers itself',
  },
  cmsBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the news: columns, articles, what members keep of them, and the marquee; it takes the place of /portal-api; empty: this server answers itself',
  },
  messageBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the message centre; it takes the place of /message; empty: this server answers itself',
  },
  transactionBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the tasks and applications; it takes the place of /transaction; empty: this server answers itself',
  },
  scheduleBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the schedules and calendars; it takes the place of /schedule; empty: this server answers itself',
  },
  personalBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the personal centre: the profile and its portrait; it takes the place of /personal; empty: this server answers itself',
  },
  personalDataBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers for the personal data: campus card, books, mailbox; it takes the place of /portal-api; empty: this server answers itself',
  },
  // Ours: privacy defaults for members who have not chosen.
  privacyMobile: {
    kind: 'choice',
    choices: ['everybody', 'organization', 'nobody'],
    initial: 'nobody',
    visitor: false,
    operatorsOnly: true,
    means: 'whom mobile numbers are shown to, where the member has not chosen',
  },
  privacyEmail: {
    kind: 'choice',
    choices: ['everybody', 'organization', 'nobody'],
    initial: 'organization',
    visitor: false,
    operatorsOnly: true,
    means: 'whom mail addresses are shown to, where the member has not chosen',
  },
  privacyPortrait: {
    kind: 'choice',
    choices: ['everybody', 'organization', 'nobody'],
    initial: 'everybody',
    visitor: false,
    operatorsOnly: true,
    means: 'whom portraits are shown to, where the member has not chosen',
  },
  privacyUseRecorded: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'whether reading and use are recorded by name, where the member has not chosen',
  },
  privacyLetters: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'whether members may write to a member, where that one has not chosen',
  },
  privacyListed: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'whether members stand in the address book, where the member has not chosen',
  },
  // Ours: what the address book shows, and to whom.
  addressBookReaders: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means:
      'codes of identity types whose members may open the address book: a JSON array; empty: every member',
  },
  addressBookHiddenIdentities: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means: 'codes of identity types whose members do not stand in the address book: a JSON array',
  },
  addressBookHiddenOrganizations: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means:
      'codes of organisations that do not stand in the address book, with all below them: a JSON array',
  },
  addressBookFields: {
    kind: 'textArray',
    initial: '["mobile","email","portrait","office"]',
    visitor: false,
    operatorsOnly: true,
    means:
      'what the address book shows of people: a JSON array of mobile, email, portrait, office; of the first three, what each member allows',
  },
  addressBookPeopleADay: {
    kind: 'number',
    initial: '300',
    visitor: false,
    operatorsOnly: true,
    means: 'people whose contacts one member may look at within a day',
  },
  // Ours: the institution's name, texts and tabs, delivered to the portal by getSystemConf and getText.
  schoolName: { kind: 'text', initial: 'Atrium', visitor: false, means: 'name of the institution' },
  schoolNameEn: {
    kind: 'text',
    initial: 'Atrium',
    visitor: false,
    means: 'name of the institution in English',
  },
  logoUrl: { kind: 'address', initial: '', visitor: false, means: 'logo; empty: a drawn one' },
  footTabs: {
    kind: 'jsonArray',
    initial: '[]',
    visitor: false,
    means: 'items of the tab bar; empty: the five tabs',
  },
  quickServices: {
    kind: 'jsonObject',
    initial: '{}',
    visitor: false,
    means:
      'service numbers on home, by identity label (student, teacher, admin, guest, other, visitor)',
  },
  homeBlocks: {
    kind: 'jsonArray',
    initial: '[]',
    visitor: false,
    means:
      'blocks below the day on home, in the order members find: a list of {"block", "fixed"}; a block that is left out is not shown, a fixed one cannot be hidden; empty: all of them',
  },
  searchHints: {
    kind: 'jsonObject',
    initial: '{}',
    visitor: false,
    means:
      'what the search field of home proposes, by identity label (as quickServices): lists of {"zh", "en"}',
  },
  userAgreement: { kind: 'html', initial: '', visitor: false, means: 'user agreement, HTML' },
  userAgreementEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'user agreement in English, HTML',
  },
  userPrivacy: { kind: 'html', initial: '', visitor: false, means: 'privacy statement, HTML' },
  userPrivacyEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'privacy statement in English, HTML',
  },
  aboutText: { kind: 'html', initial: '', visitor: false, means: 'about the portal, HTML' },
  aboutTextEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'about the portal in English, HTML',
  },
  privacyGuidelines: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'which permissions of the phone are asked for, and why, HTML',
  },
  privacyGuidelinesEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'which permissions of the phone are asked for, and why, in English, HTML',
  },
  faceProtocol: { kind: 'html', initial: '', visitor: false, means: 'face recognition, HTML' },
  faceProtocolEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'face recognition, in English, HTML',
  },
  personalInformation: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'the personal information that is processed, HTML',
  },
  personalInformationEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'the personal information that is processed, in English, HTML',
  },
  thirdParty: { kind: 'html', initial: '', visitor: false, means: 'what third parties get, HTML' },
  thirdPartyEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'what third parties get, in English, HTML',
  },
  privacyProtection: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'how privacy is protected, HTML',
  },
  privacyProtectionEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'how privacy is protected, in English, HTML',
  },
  aboutDetail: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'about the portal, at length, HTML',
  },
  aboutDetailEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'about the portal, at length, in English, HTML',
  },
} as const satisfies Record<string, ConfigEntry>
export type ConfigKey = keyof typeof configKeys

export const isConfigKey = (key: string): key is ConfigKey => Object.hasOwn(configKeys, key)
