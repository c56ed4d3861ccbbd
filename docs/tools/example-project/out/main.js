console.log('carrots: 24');
