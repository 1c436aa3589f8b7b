import './current-monitors.test';
