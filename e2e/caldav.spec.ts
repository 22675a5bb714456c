import { schedule } from '@atrium/contract/work/schedule'
import { axeViolations } from './axe.ts'
import { confirmPassword, idToken } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'staff' })

test('a device is added, writes an event to the schedule, and loses access when revoked', async ({
  page,
  request,
  baseURL,
}, { retry }) => {
  const name = `我的手机 ${retry}`
  await confirmPassword(baseURL ?? '', 'staff')
  await page.goto('/pages/shedul/calendList')
  await page.getByRole('link', { name: '与手机日历同步' }).click()
  await page.getByLabel('设备名称').fill(name)
  await page.getByRole('button', { name: '生成专用密码' }).click()
  const password = page.locator('.caldav-password')
  await expect(password).toHaveText(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
  expect(await axeViolations(page)).toEqual([])
  const secret = (await password.textContent()) ?? ''
  const headers = {
    authorization: `Basic ${Buffer.from(`staff:${secret}`).toString('base64')}`,
    depth: '1',
  }
  const listed = await request.fetch('/caldav/calendars/staff/', { method: 'PROPFIND', headers })
  expect(listed.status()).toBe(207)
  const calendar = /<d:href>(\/caldav\/calendars\/staff\/[\w-]+\/)<\/d:href>/.exec(
    await listed.text(),
  )?.[1]
  const uid = `phone-${retry}-${Date.now()}@example.org`
  const event = `${calendar}${encodeURIComponent(uid)}.ics`
  const written = await request.put(event, {
    headers: { ...headers, 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
    data: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Example//EN',
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTAMP:20270101T000000Z',
      'DTSTART;TZID=Asia/Shanghai:20330415T140000',
      'DURATION:PT1H',
      'SUMMARY:手机上记的牙医',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  })
  expect(written.status(), await written.text()).toBe(201)
  const day = `${schedule.events.path}?from=2033-04-15&to=2033-04-15`
  const token = { 'x-id-token': await idToken(baseURL ?? '', 'staff') }
  const { data } = await (await request.get(day, { headers: token })).json()
  await page.goto(`/pages/shedul/shedulDetail?id=${data.list[0].id}`)
  await expect(page.getByRole('heading', { name: '手机上记的牙医' })).toBeVisible()
  expect((await request.delete(event, { headers })).status()).toBe(204)

  await page.goto('/pages/shedul/phoneCalendar')
  const device = page.getByRole('listitem').filter({ hasText: name })
  await expect(device).toContainText('上次同步')
  await expect(password).toHaveCount(0)
  await device.getByRole('button', { name: '撤销' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '撤销' }).click()
  // An open dialog hides the list, the device included.
  await expect(dialog).toHaveCount(0)
  await expect(device).toHaveCount(0)
  const after = await request.fetch('/caldav/', { method: 'PROPFIND', headers })
  expect(after.status()).toBe(401)
})
