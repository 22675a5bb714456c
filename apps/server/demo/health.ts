/** Maintenance and outages of the demo's services by name, relative to now. */
export function healthAt(now: Date) {
  const hours = (count: number) => new Date(now.getTime() + count * 3600_000).toISOString()
  return {
    maintenance: [
      {
        service: '教室借用',
        starts_at: hours(-1),
        ends_at: hours(8),
        note: '系统升级，急用请到教一 105 办理',
        note_en: 'Upgrade; for urgent cases go to Teaching Building 1, room 105',
        alternative: '空闲教室',
      },
      {
        service: '高性能计算',
        starts_at: hours(14),
        ends_at: hours(20),
        note: '机房检修，已排队的作业不受影响',
        note_en: 'Work in the machine room; queued jobs are kept',
        alternative: null,
      },
    ],
    down: [
      {
        service: '竞赛与创新训练',
        since: hours(-2),
        fault: 'The service answered with status 503.',
        note: '急用请联系创新创业学院',
        note_en: 'If urgent, please call the School of Innovation',
      },
    ],
  }
}
