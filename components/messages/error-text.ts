import { createText, type Text } from '@/lib/messages'
import { errors as en } from '@/lib/messages/en/errors'
import { errors as zh } from '@/lib/messages/zh-CN/errors'
import { chosenLocale } from './chosen-locale'

const TEXTS = {
  en: createText({ locale: 'en', catalogue: en }),
  'zh-CN': createText({ locale: 'zh-CN', catalogue: zh }),
}

/** Texts of `errors.*`, bundled with the code because they are needed when fetching fails. */
export const errorText = (): Text => TEXTS[chosenLocale()]
