import './transition.properties.test';
