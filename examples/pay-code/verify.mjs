// A terminal that reads members' codes: type or scan one, and it prints its owner. Configured by environment variables:
//   PORTAL=http://localhost:8080 CLIENT_ID=canteen CLIENT_SECRET=… node examples/pay-code/verify.mjs "Canteen 1"
// A scanner that acts as a keyboard ends each code with a line break, so it works here unchanged.
import { createInterface } from 'node:readline'

const { PORTAL, CLIENT_ID, CLIENT_SECRET, PURPOSE = 'pay' } = process.env
const place = process.argv[2] ?? 'Terminal'
if (!PORTAL || !CLIENT_ID || !CLIENT_SECRET) {
  console.error('PORTAL=… CLIENT_ID=… CLIENT_SECRET=… node verify.mjs [PLACE]')
  process.exit(2)
}

let token = { value: '', until: 0 }
/** A token for this client, cached while it is valid. */
async function getToken() {
  if (token.until > Date.now()) return token.value
  const response = await fetch(`${PORTAL}/cas/oidc/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: `${PORTAL}/personal`,
    }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error_description ?? answer.error)
  token = { value: answer.access_token, until: Date.now() + (answer.expires_in - 30) * 1000 }
  return token.value
}

async function verify(code) {
  const response = await fetch(`${PORTAL}/personal/api/v1/integration/codes/verify`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await getToken()}`,
      'accept-language': 'en',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ code, purpose: PURPOSE, place }),
  })
  const { data, error, message } = await response.json()
  return response.ok ? { ok: true, ...data } : { ok: false, error, message }
}

for await (const line of createInterface({ input: process.stdin })) {
  const code = line.replace(/\s/g, '')
  if (!code) continue
  if (!/^86\d{16}$/.test(code)) console.log('This is no code of the portal.')
  else
    try {
      const answer = await verify(code)
      // Book the payment here on answer.cardNo, with answer.at as your reference.
      console.log(JSON.stringify(answer))
    } catch (error) {
      console.log(`No answer: ${error.message}. Let the member try again.`)
    }
}
