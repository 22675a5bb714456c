import { type FeedbackPhoto, feedbackPhotos, maxPhotoBytes } from '@atrium/contract/member/feedback'
import { ApiError } from '#lib/api.ts'
import { sendPicture } from '#lib/send-picture.ts'
import { m } from '#paraglide/messages.js'
import { type Send, UploadRefused } from '#ui/form/uploads.ts'

/** Sends a photo; one that would be refused is not sent at all. */
export const sendPhoto: Send<FeedbackPhoto> = async (file, options) => {
  if (file.size > maxPhotoBytes)
    throw new UploadRefused(m.feedback_photo_too_large({ max: maxPhotoBytes / 1024 / 1024 }))
  try {
    return await sendPicture(feedbackPhotos.add, file, options)
  } catch (error) {
    // What passes may be tried again; what the server says of this picture will not change.
    if (error instanceof ApiError && !error.passing && error.status !== 401)
      throw new UploadRefused(error.message)
    throw error
  }
}
