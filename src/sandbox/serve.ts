console.log('sandbox');
