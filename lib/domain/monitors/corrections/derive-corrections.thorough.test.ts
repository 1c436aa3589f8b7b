import './derive-corrections.test';
