/** Runs before the first paint: the theme that was chosen here before, where one was. */
const theme = localStorage.getItem('hsapi-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
