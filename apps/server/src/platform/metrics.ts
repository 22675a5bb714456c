import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'

export const metrics = new Registry()
collectDefaultMetrics({ register: metrics, prefix: 'atrium_' })

const requestSeconds = 'atrium_request_seconds'
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]
/** Requests by endpoint and status class. `within` counts each under its histogram bucket; the last one is +Inf. */
type Timing = { within: number[]; seconds: number }
const timings = new Map<string, Timing[]>()

/** Replaces prom-client's histogram, which builds a string of the labels per request; that costs more than routing. */
export function observeRequest(endpoint: string, statusCode: number, seconds: number) {
  let classes = timings.get(endpoint)
  if (!classes) {
    classes = []
    timings.set(endpoint, classes)
  }
  const statusClass = Math.floor(statusCode / 100)
  classes[statusClass] ??= { within: new Array(bounds.length + 1).fill(0), seconds: 0 }
  const timing = classes[statusClass]
  let index = 0
  while (seconds > (bounds[index] ?? Number.POSITIVE_INFINITY)) index++
  timing.within[index] = (timing.within[index] ?? 0) + 1
  timing.seconds += seconds
}

metrics.registerMetric({
  name: requestSeconds,
  async get() {
    const values = [...timings].flatMap(([endpoint, classes]) =>
      classes.flatMap(({ within, seconds }, statusClass) => {
        const labels = { endpoint, status: `${statusClass}xx` }
        let count = 0
        const buckets = within.map((more, index) => {
          count += more
          return {
            metricName: `${requestSeconds}_bucket`,
            labels: { ...labels, le: bounds[index] ?? '+Inf' },
            value: count,
          }
        })
        return [
          ...buckets,
          { metricName: `${requestSeconds}_sum`, labels, value: seconds },
          { metricName: `${requestSeconds}_count`, labels, value: count },
        ]
      }),
    )
    const help = 'Response time by endpoint and status class'
    return { name: requestSeconds, help, type: 'histogram', values, aggregator: 'sum' }
  },
} as unknown as Metric)

export const requestsRefused = new Counter({
  name: 'atrium_requests_refused_total',
  help: 'Requests answered with 429, by the limit that was exceeded (session, address)',
  labelNames: ['counted'],
  registers: [metrics],
})

export const redisConnected = new Gauge({
  name: 'atrium_redis_connected',
  help: '1 while request limits are shared through Redis; 0 while each node counts on its own',
  registers: [metrics],
})

export const signIns = new Counter({
  name: 'atrium_sign_ins_total',
  help: 'Sign-ins by method and result',
  labelNames: ['way', 'result'],
  registers: [metrics],
})

export const codesSent = new Counter({
  name: 'atrium_codes_total',
  help: 'Codes requested by SMS or mail, by kind and result (sent, nobody: no such contact, blocked)',
  labelNames: ['kind', 'result'],
  registers: [metrics],
})

export const messagesSent = new Counter({
  name: 'atrium_messages_total',
  help: 'Attempts to send SMS, mails and logout notifications, by kind and result (sent, again: will be retried, failed)',
  labelNames: ['kind', 'result'],
  registers: [metrics],
})

export const calendarReplies = new Counter({
  name: 'atrium_calendar_replies_total',
  help: 'Mails in the mailbox for answers to invitations, by result (answered, older, unknown: no such invitation, forged: from another sender, unreadable, other: not an answer, failed: will be retried, given_up: failed permanently); unreachable: failed attempts to open the mailbox',
  labelNames: ['result'],
  registers: [metrics],
})

export const smsOfTheDay = new Gauge({
  name: 'atrium_sms_24h',
  help: 'SMS queued within the last 24 hours, at the last count by this node',
  registers: [metrics],
})

export const outages = new Counter({
  name: 'atrium_outages_total',
  help: 'Errors caused by a failure of the database or the disk, by kind (away, full, read-only)',
  labelNames: ['outage'],
  registers: [metrics],
})

export const jobsDone = new Counter({
  name: 'atrium_jobs_total',
  help: 'Runs of background jobs, by job and result (done, failed)',
  labelNames: ['job', 'result'],
  registers: [metrics],
})

export const jobsFailed = new Gauge({
  name: 'atrium_jobs_failed',
  help: 'Background jobs that failed permanently and wait for an operator, at the last count by this node',
  registers: [metrics],
})

export const upstreamAnswers = new Counter({
  name: 'atrium_upstream_total',
  help: 'Calls forwarded to a system of the institution, by base and result (answered, failed, invalid, spared: not called because it does not answer)',
  labelNames: ['base', 'result'],
  registers: [metrics],
})
