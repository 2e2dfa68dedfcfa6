// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All mistakes are of the example as it is now, also those that are compiled and tried on other days. */
class BrokenShelvesTest {
    @TempDir
    private Path directory;

    static Stream<Variant> variants() {
        return BrokenShelves.variants();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void changesWhatTheExampleSaysOnce(Variant variant) throws IOException {
        assertThat(ExamplePlugin.write(variant, directory)).isNotEmpty();
        assertThat(variant.edits())
                .allSatisfy(edit ->
                        assertThat(directory.resolve(edit.file())).content().contains(edit.wrong()));
    }

    @Test
    void atLeastTwelveRulesAreTried() {
        assertThat(BrokenShelves.variants().map(Variant::broken).distinct()).hasSizeGreaterThanOrEqualTo(12);
    }
}
