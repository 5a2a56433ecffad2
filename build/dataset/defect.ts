export interface Defect {
  file: string
  line: number
  message: string
}
