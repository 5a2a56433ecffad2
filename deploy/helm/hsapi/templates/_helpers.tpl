{{- define "hsapi.labels" -}}
app.kubernetes.io/name: hsapi
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hsapi.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "hsapi.secret" -}}
{{ .Values.existingSecret | default .Release.Name }}
{{- end }}
