import { evaluationPhotos, type Photo } from '@atrium/contract/services/evaluation'
import { sendPicture } from '#lib/send-picture.ts'
import type { Send } from '#ui/form/uploads.ts'

export const sendPhoto: Send<Photo> = (file, options) =>
  sendPicture(evaluationPhotos.add, file, options)
