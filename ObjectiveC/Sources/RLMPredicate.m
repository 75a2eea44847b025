// NSPredicate: a tree of Foundation's becomes a format of the library with its values as arguments, so that
// dates, data and objects need no text.
#import "RLMCollection_Private.h"

@interface RLMPredicateText : NSObject {
@public
  NSMutableString *_format;
  NSMutableArray *_arguments;
}
@end

@implementation RLMPredicateText

- (instancetype)init {
  if (!(self = [super init])) return nil;
  _format = [[NSMutableString alloc] init];
  _arguments = [[NSMutableArray alloc] init];
  return self;
}

- (void)dealloc {
  [_format release];
  [_arguments release];
  [super dealloc];
}

- (void)refuse:(id)part {
  RLMThrow(@"This part of a predicate is not supported: %@", part);
}

- (void)addConstant:(id)value {
  BOOL isList = RLMIsEnumerable(value);
  if (!isList) {
    [_format appendString:@"%@"];
    [_arguments addObject:value ? value : [NSNull null]];
    return;
  }
  [_format appendString:@"{"];
  NSString *separator = @"";
  for (id element in value) {
    [_format appendString:separator];
    separator = @", ";
    // Elements of aggregates are expressions or values.
    if ([element isKindOfClass:[NSExpression class]])
      [self addExpression:element];
    else
      [self addConstant:element];
  }
  [_format appendString:@"}"];
}

- (void)addExpression:(NSExpression *)expression {
  switch ([expression expressionType]) {
  case NSConstantValueExpressionType: [self addConstant:[expression constantValue]]; break;
  case NSKeyPathExpressionType: [_format appendString:[expression keyPath]]; break;
  case NSEvaluatedObjectExpressionType: [_format appendString:@"SELF"]; break;
  default:
    // Lists of expressions, which GNUstep has without declaring them, and functions.
    if ([expression respondsToSelector:@selector(collection)])
      [self addConstant:[expression performSelector:@selector(collection)]];
    else
      [_format appendString:[expression description]];
    break;
  }
}

static NSString *operatorOf(NSPredicateOperatorType type) {
  switch (type) {
  case NSLessThanPredicateOperatorType: return @"<";
  case NSLessThanOrEqualToPredicateOperatorType: return @"<=";
  case NSGreaterThanPredicateOperatorType: return @">";
  case NSGreaterThanOrEqualToPredicateOperatorType: return @">=";
  case NSEqualToPredicateOperatorType: return @"==";
  case NSNotEqualToPredicateOperatorType: return @"!=";
  case NSLikePredicateOperatorType: return @"LIKE";
  case NSBeginsWithPredicateOperatorType: return @"BEGINSWITH";
  case NSEndsWithPredicateOperatorType: return @"ENDSWITH";
  case NSInPredicateOperatorType: return @"IN";
  case NSContainsPredicateOperatorType: return @"CONTAINS";
  case NSBetweenPredicateOperatorType: return @"BETWEEN";
  default: return nil;
  }
}

- (void)addComparison:(NSComparisonPredicate *)comparison {
  NSString *operator= operatorOf([comparison predicateOperatorType]);
  if (!operator) [self refuse:comparison];
  if ([comparison comparisonPredicateModifier] == NSAnyPredicateModifier) [_format appendString:@"ANY "];
  if ([comparison comparisonPredicateModifier] == NSAllPredicateModifier) [_format appendString:@"ALL "];
  NSExpression *left = [comparison leftExpression], *right = [comparison rightExpression];
  // GNUstep turns "name CONTAINS 'x'" round: 'x' IN name.
  if ([comparison predicateOperatorType] == NSInPredicateOperatorType &&
      [left expressionType] == NSConstantValueExpressionType &&
      [right expressionType] == NSKeyPathExpressionType) {
    operator= @"CONTAINS";
    left = right;
    right = [comparison leftExpression];
  }
  [self addExpression:left];
  NSUInteger options = [comparison options];
  BOOL ignoresCase = options & NSCaseInsensitivePredicateOption,
       ignoresMarks = options & NSDiacriticInsensitivePredicateOption;
  [_format appendFormat:@" %@%@ ", operator,
                        ignoresCase ? (ignoresMarks ? @"[cd]" : @"[c]") : (ignoresMarks ? @"[d]" : @"")];
  [self addExpression:right];
}

- (void)addPredicate:(NSPredicate *)predicate {
  if ([predicate isKindOfClass:[NSComparisonPredicate class]]) {
    [self addComparison:(NSComparisonPredicate *)predicate];
    return;
  }
  if (![predicate isKindOfClass:[NSCompoundPredicate class]]) {
    // Constants: TRUEPREDICATE and FALSEPREDICATE.
    [_format appendString:[predicate predicateFormat]];
    return;
  }
  NSCompoundPredicate *compound = (NSCompoundPredicate *)predicate;
  NSArray *parts = [compound subpredicates];
  BOOL isNot = [compound compoundPredicateType] == NSNotPredicateType;
  if (![parts count]) {
    [_format appendString:[compound compoundPredicateType] == NSOrPredicateType ? @"FALSEPREDICATE"
                                                                                : @"TRUEPREDICATE"];
    return;
  }
  NSString *separator = isNot ? @"NOT " : @"";
  for (NSPredicate *part in parts) {
    [_format appendFormat:@"%@(", separator];
    [self addPredicate:part];
    [_format appendString:@")"];
    separator = [compound compoundPredicateType] == NSOrPredicateType ? @" OR " : @" AND ";
  }
}

@end

// GNUstep reads every number in a format as a double. Whole numbers become ints, which fit properties of all
// number types.
static id argumentOf(id constant) {
  if (![constant isKindOfClass:[NSNumber class]] || *[constant objCType] != 'd') return constant;
  double value = [constant doubleValue];
  return value == floor(value) && fabs(value) < 0x1p53 ? [NSNumber numberWithLongLong:(long long)value]
                                                       : constant;
}

openrealm_collection *RLMFilterByPredicate(openrealm_collection *collection, NSPredicate *predicate) {
  RLMPredicateText *text = [[[RLMPredicateText alloc] init] autorelease];
  [text addPredicate:predicate];
  size_t count = 0;
  openrealm_value *values = calloc([text->_arguments count] + 1, sizeof *values);
  for (id argument in text->_arguments)
    if (!RLMConvertArgument(argumentOf(argument), &values[count++])) {
      free(values);
      [text refuse:argument];
    }
  openrealm_collection *found = openrealm_filter(collection, [text->_format UTF8String], count, values);
  free(values);
  if (!found) RLMThrowLastFailure();
  return found;
}
