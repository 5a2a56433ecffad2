/** The result of one check of `hsapi doctor`. */
export interface Finding {
  status: 'ok' | 'warning' | 'fails'
  message: string
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warning = (message: string): Finding => ({ status: 'warning', message })
export const fails = (message: string): Finding => ({ status: 'fails', message })
