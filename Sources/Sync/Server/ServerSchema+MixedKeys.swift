// What tells the elements of a set of mixed values apart on the server.
extension ServerSchema {
  /// Returns one value for all that are one element of a realm's set: an int for a whole number, and a double for any other float
  /// or double. `ElementIdentity` computes the same.
  ///
  /// Decimals keep their type, and no client sends them: 0.1 as a decimal would be one element with 0.1 as a float and with 0.1 as
  /// a double, which are two. What is not written as clients write it is an element of its own, and they do not read it.
  var mixedKey: String {
    function(
      "realm.mixed_key(jsonb)", returns: "jsonb", language: "plpgsql",
      volatility: "immutable set extra_float_digits = 1 set timezone = 'UTC'",
      body: """

        declare
          realm$type text := $1 ->> 't';
          realm$value jsonb := $1 -> 'v';
          realm$number double precision;
        begin
          if $1 is null or jsonb_typeof($1) <> 'object' or realm$value is null then
            return coalesce($1, 'null');
          end if;
          case
          when realm$type in ('float', 'double') then
            if realm$value = '"-0.0"' then
              return '{"t": "int", "v": 0}';
            end if;
            if jsonb_typeof(realm$value) <> 'number' then
              return jsonb_build_object('t', 'double', 'v', realm$value);
            end if;
            realm$number := case realm$type when 'float' then realm$value::text::real else realm$value::text::double precision end;
            if realm$number = trunc(realm$number) and realm$number >= -9223372036854775808 and realm$number < 9223372036854775808 then
              return jsonb_build_object('t', 'int', 'v', realm$number::bigint);
            end if;
            return jsonb_build_object('t', 'double', 'v', realm$number);
          when realm$type in ('data', 'objectId') then
            return jsonb_build_object('t', realm$type, 'v', lower(realm$value #>> '{}'));
          when realm$type = 'uuid' then
            return jsonb_build_object('t', realm$type, 'v', replace(lower(realm$value #>> '{}'), '-', ''));
          when realm$type = 'date' and realm$value #>> '{}' ~
              '^\\d{4,6}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?(Z|[+-]\\d\\d(:\\d\\d(:\\d\\d)?)?)( BC)?$' then
            return jsonb_build_object('t', realm$type, 'v', (realm$value #>> '{}')::timestamptz);
          when realm$type = 'link' then
            return jsonb_build_object('t', realm$type, 'v', realm$value, 'class', $1 -> 'class');
          else
            return jsonb_build_object('t', realm$type, 'v', realm$value);
          end case;
        end
        """)
  }
}
