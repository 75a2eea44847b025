public import Observation

// Managed objects and collections work with `withObservationTracking`: code that reads them there is notified when a
// transaction of any thread or process changes what was read.
extension ObjectBase: Observable {}
extension Results: Observable {}
extension List: Observable {}
extension MutableSet: Observable {}
extension Map: Observable {}
extension LinkingObjects: Observable {}
extension AnyRealmCollection: Observable {}
extension SectionedResults: Observable {}
extension ResultsSection: Observable {}
extension Projection: Observable {}
