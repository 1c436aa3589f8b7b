import './routine.properties.test';
