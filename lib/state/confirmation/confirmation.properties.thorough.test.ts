import './confirmation.properties.test';
