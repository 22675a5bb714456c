import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export const metrics = new Registry()
collectDefaultMetrics({ register: metrics, prefix: 'atrium_' })

export const requestSeconds = new Histogram({
  name: 'atrium_request_seconds',
  help: 'Time to answer, by endpoint and status class',
  labelNames: ['endpoint', 'status'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [metrics],
})
export const signIns = new Counter({
  name: 'atrium_sign_ins_total',
  help: 'Sign-ins by way and result',
  labelNames: ['way', 'result'],
  registers: [metrics],
})
