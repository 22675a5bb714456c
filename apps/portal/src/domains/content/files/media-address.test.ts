import { expect, test } from 'vitest'
import { mediaAddress } from './media-address.ts'

const origin = 'https://m.example.edu'
const at = (text: string) =>
  mediaAddress(text, origin, ['media.example.edu', 'cdn.example.edu:8443'])

test.each([
  ['/files/12', { kind: 'file', id: '12' }],
  [
    '/files/12/a.mp4?expires=1&signature=x',
    { kind: 'file', id: '12', name: 'a.mp4', expires: '1', signature: 'x' },
  ],
  ['/files/12/%E8%A1%A8.csv', { kind: 'file', id: '12', name: '表.csv' }],
  ['/files/12/%', { kind: 'file', id: '12' }],
  ['https://m.example.edu/files/12', { kind: 'file', id: '12' }],
  [
    'https://media.example.edu/a.mp4?t=1',
    { kind: 'play', url: 'https://media.example.edu/a.mp4?t=1' },
  ],
  [
    'https://cdn.example.edu:8443/a.MP3',
    { kind: 'sound', url: 'https://cdn.example.edu:8443/a.MP3' },
  ],
  ['https://other.example/a.mp4', { kind: 'outside', url: 'https://other.example/a.mp4' }],
  ['https://media.example.edu/page', { kind: 'outside', url: 'https://media.example.edu/page' }],
])('classifies %s', (text, wanted) => {
  expect(at(text)).toEqual(wanted)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>',
  'http://media.example.edu/a.mp4',
  'https://a:b@media.example.edu/a.mp4',
  'https://media.example.edu.evil.example:x/',
  '/portal-api/v1/home',
  '/files/12/../../token',
  '/files/x',
  '',
])('refuses %j', (text) => {
  expect(at(text)).toEqual({ kind: 'refused' })
})
