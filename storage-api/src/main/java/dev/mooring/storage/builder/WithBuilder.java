// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.builder;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.ConcreteSettersForOptionalMode;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Generates a builder of a record {@code Foo}: {@code FooBuilder}, and {@code FooBuilder.With}, which the record implements, with a method
 * {@code withX} for each component {@code x}. An {@code Optional} component is empty unless it is set; {@code build()} throws a
 * NullPointerException that names another one that was not.
 */
@RecordBuilder.Template(
        options =
                @RecordBuilder.Options(
                        addConcreteSettersForOptional = ConcreteSettersForOptionalMode.ENABLED,
                        addStaticBuilder = false,
                        enableGetters = false,
                        fileComment = "SPDX-License-Identifier: Apache-2.0",
                        inheritComponentAnnotations = false,
                        interpretNotNulls = true,
                        defaultNotNull = true))
@API(status = API.Status.INTERNAL, since = "0.1")
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface WithBuilder {}
