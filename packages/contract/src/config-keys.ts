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
    means: 'sharing of news: off (0), regular or other (1), quick (2)',
  },
  ENV_SERVICE_SHARE_TYPE: {
    kind: 'choice',
    choices: ['off', 'regular', 'quick', 'direct', 'other'],
    initial: 'off',
    visitor: true,
    means: 'sharing of services: off (0), regular or other (1), quick (2), direct (3)',
  },
  ENV_APP_TODO_MODULE_SETTING: {
    kind: 'jsonArray',
    initial: '[]',
    visitor: true,
    means:
      'first-level tabs of the task tab (myTodo, myDone, myRequest, myReaded, myDraft) and their order: names, or objects such as {"level": "myRequest", "initial": "progress"}. `initial` is the filter selected first (myRequest: all, progress, finish, break, hang; myReaded: toMe, Meto); a list of filters restricts which ones are offered. Empty: all tabs',
  },
  ENV_APP_MOURNING_MODE: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'mourning mode: grey tab bar and pages',
  },
  ENV_SHOW_GUIDE: {
    kind: 'choice',
    choices: ['0', '1', '2'],
    initial: '0',
    visitor: true,
    means:
      'guide to services: 0 off, 1 newGuide, 2 serviceGuide (isEnableServiceGuide in the module settings means the same)',
  },
  ENV_OPENING_PAGE: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'opening page (enableOpeningPage)',
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
    means: 'address book: on if the value is not empty',
  },
  ENV_NEWS_NEW_ITON_DAYS: {
    kind: 'numberOrEmpty',
    initial: '',
    visitor: true,
    means: 'days for which a news item is marked as new',
  },
  enableServiceEvaluate: {
    kind: 'choice',
    choices: ['0', '1', '2', '3'],
    initial: '0',
    visitor: true,
    means: 'rating of services: 0 off, 1 or 3 simple, 2 detailed',
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
    means: '"1" hides the mark on recommended services',
  },
  ENV_APP_IF_SHOW_AGGRE_SERVICE_ICON: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: 'show the icon of aggregated services',
  },
  servicesNumPerRow: { kind: 'number', initial: '5', visitor: true, means: 'services per row' },
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
    means: 'entries to the robot',
  },
  isShowMessage: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: true,
    means: 'message entry on home',
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
    means: 'tab that shows the badge',
  },
  muteBadge: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: true,
    means: '1 always shows a badge count of 0',
  },
  sortIndex: { kind: 'number', initial: '1', visitor: true, means: 'sort index' },
  defaultSearchWord: {
    kind: 'text',
    initial: '',
    visitor: true,
    means: 'default search word: searched for if the search field is empty',
  },
  defaultSearchWordEn: {
    kind: 'text',
    initial: '',
    visitor: true,
    means:
      'default search word in English; empty: readers of English see a hint about what can be searched',
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
    means: 'thumbnails beside articles, made by the image service; off: none',
  },
  requestTimeout: {
    kind: 'numberOrEmpty',
    initial: '',
    visitor: true,
    means:
      'request timeout of all clients in milliseconds; empty: 10000 in clients without sign-in, 60000 elsewhere',
  },
  scanWhiteList: {
    kind: 'textArray',
    initial: '[]',
    visitor: true,
    means: 'addresses a scan may open; everything else is shown as plain text',
  },
  casHosts: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    means: 'hosts allowed as central login',
  },
  casArry: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    means: 'addresses that require the central login',
  },
  authCollects: {
    kind: 'textMap',
    initial: '{}',
    visitor: false,
    means: 'token parameter by address',
  },
  disableCasArry: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '0',
    visitor: false,
    means: '1 turns casArry off',
  },
  oriCasUrl: {
    kind: 'address',
    initial: '',
    visitor: false,
    means: 'original address of the central login',
  },
  casUrl: { kind: 'address', initial: '', visitor: false, means: 'address of the central login' },
  pcPortalUrl: { kind: 'address', initial: '', visitor: true, means: 'address of the PC portal' },
  eCardSets: {
    kind: 'jsonObject',
    initial: '{}',
    visitor: true,
    means:
      'parts of the campus card to hide: showBalance, payCode, flow, limits or freeze with the value 0',
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
    means: 'address of the news screen',
  },
  newtaskRoute: {
    kind: 'route',
    initial: '/pages/msgCenterTab/newtask/newtask',
    visitor: true,
    means: 'address of the new-task screen',
  },
  newsUrl: { kind: 'address', initial: '', visitor: true, means: 'address shown by news-webview' },
  newtaskUrl: {
    kind: 'address',
    initial: '',
    visitor: true,
    means: 'address shown by newtask-webview',
  },
  scheduleUrl: {
    kind: 'address',
    initial: '',
    visitor: true,
    means: "address shown by schedule-webview; empty: the portal's own schedule without tab bar",
  },
  eventUrl: {
    kind: 'eventAddress',
    initial: 'own',
    visitor: true,
    means: 'where usage events are sent; `own`: this server; empty: no events are recorded',
  },
  mapTileUrl: {
    kind: 'tileAddress',
    initial: '',
    visitor: true,
    means:
      'map tiles, an address with {z}, {x} and {y}; empty: places are shown as a list with coordinates',
  },
  imageHosts: {
    kind: 'hosts',
    initial: '[]',
    visitor: false,
    means:
      'hosts whose pictures are shown, resized and served through our own address: a JSON array of host names, with a port unless it is the default',
  },
  mediaHosts: {
    kind: 'hosts',
    initial: '[]',
    visitor: true,
    means:
      'hosts whose video and audio play inside the app: a JSON array of host names, with a port unless it is the default; others open outside the app',
  },
  uploadLargestMB: {
    kind: 'number',
    initial: '200',
    visitor: false,
    operatorsOnly: true,
    means: 'maximum size of one uploaded file in MB',
  },
  uploadQuotaMB: {
    kind: 'number',
    initial: '1024',
    visitor: false,
    operatorsOnly: true,
    means: 'storage quota of one member in MB',
  },
  uploadGraceHours: {
    kind: 'number',
    initial: '168',
    visitor: false,
    operatorsOnly: true,
    means: 'hours for which an unused file is kept',
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
    means: 'how many times per session the operations card is shown',
  },
  serviceProbeMinutes: {
    kind: 'number',
    initial: '5',
    visitor: false,
    operatorsOnly: true,
    means:
      'minimum minutes between two probes of a host with services; longer while it is down; 0: no probes',
  },
  // Ours: how people sign in. The server enforces them; GET /token/login/configs returns what a sign-in page needs.
  agreementVersion: {
    kind: 'text',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'version of the user agreement and privacy statement; a new version must be accepted at the next sign-in; empty: nothing to accept',
  },
  passwordMaxDays: {
    kind: 'number',
    initial: '0',
    visitor: false,
    operatorsOnly: true,
    means: 'days until a password must be changed; 0: never',
  },
  captchaAfter: {
    kind: 'number',
    initial: '3',
    visitor: false,
    operatorsOnly: true,
    means:
      'failed sign-ins to an account after which the device must solve a puzzle (invisible to the user) with each attempt; for a network address ten times as many; 0: never',
  },
  smsLogin: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'sign-in with a code sent to the mobile number',
  },
  scanLogin: {
    kind: 'choice',
    choices: ['0', '1', '2'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means:
      'sign-in on a computer by scanning its code with a phone; 2: the member must confirm their identity on the phone, which counts as the second factor',
  },
  codesPerAddress: {
    kind: 'number',
    initial: '20',
    visitor: false,
    operatorsOnly: true,
    means:
      'codes by SMS or mail that visitors behind one network address may request within an hour; raise it if the campus uses one address',
  },
  smsDailyBudget: {
    kind: 'number',
    initial: '5000',
    visitor: false,
    operatorsOnly: true,
    means: 'SMS within 24 hours above which the log and the metrics raise an alarm',
  },
  passkeyLogin: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'sign-in with a passkey instead of a password',
  },
  secondFactorFor: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means: 'codes of identity types that require a second factor: a JSON array',
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
      'days for which the central login may keep a browser signed in, at most 90; 0: not offered',
  },
  sessionAbsoluteDays: {
    kind: 'number',
    initial: '90',
    visitor: false,
    operatorsOnly: true,
    means: 'days after which a session ends even if it is used',
  },
  authenticationLogDays: {
    kind: 'number',
    initial: '190',
    visitor: false,
    operatorsOnly: true,
    means:
      'days for which sign-ins are kept for members and operators to read; some countries require six months',
  },
  addressPlaces: {
    kind: 'networks',
    initial: '{}',
    visitor: false,
    operatorsOnly: true,
    means:
      'names of campus networks, shown beside sign-ins: a JSON object such as {"10.20.0.0/16": "宿舍区", "2001:da8::/32": "校园网"}; the narrowest match applies',
  },
  closingDays: {
    kind: 'number',
    initial: '7',
    visitor: false,
    operatorsOnly: true,
    means: 'days during which a request to close an account can be withdrawn',
  },
  accountClosing: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means:
      'members may request that their account be closed; 0: only the institution closes accounts',
  },
  // Ours: existing systems of the institution to which our server forwards calls; see upstreams.ts.
  servicesBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of the service catalogue (below /portal-api/v1/service and /v2/service); it replaces /portal-api; empty: this server answers',
  },
  cmsBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of the news (columns, articles, favourite articles, reading history, marquee); it replaces /portal-api; empty: this server answers',
  },
  messageBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of the message centre; it replaces /message; empty: this server answers',
  },
  transactionBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of tasks and applications; it replaces /transaction; empty: this server answers',
  },
  scheduleBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of schedules and calendars; it replaces /schedule; empty: this server answers',
  },
  personalBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of the personal centre (profile, portrait); it replaces /personal; empty: this server answers',
  },
  personalDataBase: {
    kind: 'base',
    initial: '',
    visitor: false,
    operatorsOnly: true,
    means:
      'address of the system that answers calls of personal data (campus card, library loans, mailbox); it replaces /portal-api; empty: this server answers',
  },
  // Ours: privacy defaults for members who have not chosen.
  privacyMobile: {
    kind: 'choice',
    choices: ['everybody', 'organization', 'nobody'],
    initial: 'nobody',
    visitor: false,
    operatorsOnly: true,
    means: "who sees a member's mobile number, unless the member has chosen",
  },
  privacyEmail: {
    kind: 'choice',
    choices: ['everybody', 'organization', 'nobody'],
    initial: 'organization',
    visitor: false,
    operatorsOnly: true,
    means: "who sees a member's mail address, unless the member has chosen",
  },
  privacyPortrait: {
    kind: 'choice',
    choices: ['everybody', 'organization', 'nobody'],
    initial: 'everybody',
    visitor: false,
    operatorsOnly: true,
    means: "who sees a member's portrait, unless the member has chosen",
  },
  privacyUseRecorded: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'whether reading and use are recorded by name, unless the member has chosen',
  },
  privacyLetters: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'whether other members may write to a member, unless the member has chosen',
  },
  privacyListed: {
    kind: 'choice',
    choices: ['0', '1'],
    initial: '1',
    visitor: false,
    operatorsOnly: true,
    means: 'whether members are listed in the address book, unless the member has chosen',
  },
  // Ours: what the address book shows, and to whom.
  addressBookReaders: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means: 'codes of identity types that may open the address book: a JSON array; empty: all',
  },
  addressBookHiddenIdentities: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means: 'codes of identity types that are not listed in the address book: a JSON array',
  },
  addressBookHiddenOrganizations: {
    kind: 'textArray',
    initial: '[]',
    visitor: false,
    operatorsOnly: true,
    means:
      'codes of organisations that are not listed in the address book, including all below them: a JSON array',
  },
  addressBookFields: {
    kind: 'textArray',
    initial: '["mobile","email","portrait","office"]',
    visitor: false,
    operatorsOnly: true,
    means:
      'details of people shown in the address book: a JSON array of mobile, email, portrait, office; the first three only as far as each member allows',
  },
  addressBookPeopleADay: {
    kind: 'number',
    initial: '300',
    visitor: false,
    operatorsOnly: true,
    means: 'people whose contact details one member may view within a day',
  },
  // Ours: the institution's name, texts and tabs, delivered to the portal by getSystemConf and getText.
  schoolName: { kind: 'text', initial: 'Atrium', visitor: false, means: 'name of the institution' },
  schoolNameEn: {
    kind: 'text',
    initial: 'Atrium',
    visitor: false,
    means: 'name of the institution in English',
  },
  logoUrl: { kind: 'address', initial: '', visitor: false, means: 'logo; empty: a drawn default' },
  footTabs: {
    kind: 'jsonArray',
    initial: '[]',
    visitor: false,
    means: 'items of the tab bar; empty: the five default tabs',
  },
  quickServices: {
    kind: 'jsonObject',
    initial: '{}',
    visitor: false,
    means:
      'numbers of the services on home, by identity label (student, teacher, admin, guest, other, visitor)',
  },
  homeBlocks: {
    kind: 'jsonArray',
    initial: '[]',
    visitor: false,
    means:
      'blocks below the day on home, in default order: a list of {"block", "fixed"}; blocks not listed are not shown, fixed blocks cannot be hidden by members; empty: all blocks',
  },
  searchHints: {
    kind: 'jsonObject',
    initial: '{}',
    visitor: false,
    means:
      'suggestions in the search field of home, by identity label (as quickServices): lists of {"zh", "en"}',
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
    means: 'which permissions of the phone are requested, and why, HTML',
  },
  privacyGuidelinesEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'which permissions of the phone are requested, and why, in English, HTML',
  },
  faceProtocol: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'terms of face recognition, HTML',
  },
  faceProtocolEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'terms of face recognition, in English, HTML',
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
  thirdParty: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'data shared with third parties, HTML',
  },
  thirdPartyEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'data shared with third parties, in English, HTML',
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
    means: 'about the portal, long text, HTML',
  },
  aboutDetailEn: {
    kind: 'html',
    initial: '',
    visitor: false,
    means: 'about the portal, long text, in English, HTML',
  },
} as const satisfies Record<string, ConfigEntry>
export type ConfigKey = keyof typeof configKeys

export const isConfigKey = (key: string): key is ConfigKey => Object.hasOwn(configKeys, key)
