import type { FastifyRequest } from 'fastify'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** Name of the institution shown in authenticators, in the caller's language. */
export async function institutionName(platform: Platform, request: FastifyRequest) {
  const { schoolName, schoolNameEn } = await currentSettings(platform)
  return languageOf(request.headers['accept-language']) === 'zh'
    ? schoolName
    : schoolNameEn || schoolName
}
