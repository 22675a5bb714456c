import { account } from './account.ts'
import { config } from './config.ts'
import { settings, tabs } from './config-console.ts'
import type { EndpointTable } from './define.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { home } from './home.ts'
import { centralLogin, identity, signInSteps } from './identity.ts'
import { images } from './images.ts'
import { launch } from './launch.ts'
import { diversions, openingPages, slides, themes } from './launch-console.ts'
import { map } from './map.ts'
import { messages } from './messages.ts'
import { news, notices } from './news.ts'
import { audit, members, operators, roles } from './operators-console.ts'
import { outbox } from './outbox-console.ts'
import { activation, forgotten, passwordless } from './passwordless.ts'
import { personal } from './personal.ts'
import { closings, privacy } from './privacy.ts'
import { schedule } from './schedule.ts'
import { factorReset, factorSignIn, secondFactor } from './second-factor.ts'
import { services } from './services.ts'
import { memberSessions, sessions } from './sessions.ts'
import { tasks } from './tasks.ts'
import { webview } from './webview.ts'
import { wechat } from './wechat.ts'

/** Map 2: every endpoint, by area. */
export const endpoints = {
  identity,
  signInSteps,
  centralLogin,
  factorSignIn,
  secondFactor,
  factorReset,
  sessions,
  account,
  passwordless,
  forgotten,
  activation,
  config,
  home,
  launch,
  services,
  news,
  notices,
  messages,
  tasks,
  schedule,
  personal,
  privacy,
  closings,
  roles,
  operators,
  members,
  audit,
  files,
  map,
  events,
  images,
  wechat,
  webview,
  themes,
  openingPages,
  diversions,
  slides,
  settings,
  tabs,
  memberSessions,
  outbox,
} satisfies Record<string, EndpointTable>
