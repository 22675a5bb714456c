import { config } from './config.ts'
import type { EndpointTable } from './define.ts'
import { files } from './files.ts'
import { home } from './home.ts'
import { centralLogin, identity } from './identity.ts'
import { messages } from './messages.ts'
import { news, notices } from './news.ts'
import { personal } from './personal.ts'
import { schedule } from './schedule.ts'
import { services } from './services.ts'
import { tasks } from './tasks.ts'

/** Map 2: every endpoint, by area. */
export const endpoints = {
  identity,
  centralLogin,
  config,
  home,
  services,
  news,
  notices,
  messages,
  tasks,
  schedule,
  personal,
  files,
} satisfies Record<string, EndpointTable>
