// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/inside/parity.md} has a row for every rule of the specification, and each names tests that exist. */
class ParityTest {
    private static final Path PAGE = Reactor.ROOT.resolve("docs/inside/parity.md");
    private static final Path SPECIFICATION = Reactor.ROOT.resolve("docs/semantics/binder.md");

    @Test
    void everyRuleHasARowAndEveryRowATest() {
        ParityPage page = ParityPage.read(binderPart());
        assertThat(page.problems(Reactor.read(SPECIFICATION), new RepositoryTests()))
                .isEmpty();
    }

    /** The rest of the page is {@link ConformanceTest}'s. */
    private static String binderPart() {
        String page = Reactor.read(PAGE);
        return page.substring(0, page.indexOf(ConformanceTest.BEGINNING));
    }

    @Test
    void theSpecificationNamesItsRules() {
        assertThat(ParityPage.rulesOf(Reactor.read(SPECIFICATION)))
                .contains("C6", "SC0", "U8", "V6", "B5", "SV8", "R4", "P0", "P1", "PE", "PI", "X8", "F16", "T10")
                .contains("PP5", "VP2", "E5", "3.5 X1", "3.5 X5b", "3.5 X6", "S4", "D18", "I10")
                .contains("checkVolumeSatisfyClaim", "isVolumeReleased")
                .doesNotContain("3.5 X8", "G1", "W1");
    }

    // ---- each check can fail ----

    private static final String SPEC = "## 1. Rules\n### 1.1 First\n- U1 this, see U2\n## 5. Bugs\nU9\n";

    private static final ParityPage.Sources SOURCES = new ParityPage.Sources() {
        @Override
        public boolean hasTest(String className, String method) {
            return className.equals("ATest") && method.equals("holds");
        }

        @Override
        public boolean hasScenario(String name) {
            return name.equals("story");
        }

        @Override
        public boolean hasSwitch(String constant) {
            return constant.equals("AS_UPSTREAM");
        }
    };

    private static String page(String... rows) {
        return "# Page\n## §1.1 First\n| rule | upstream | here | why / option | test |\n|---|---|---|---|---|\n"
                + String.join("\n", rows) + "\n";
    }

    private static final String FIRST = "| U1 | u | same | | ATest.holds |";

    @Test
    void nothingIsWrongWithASoundPage() {
        String page = page(
                FIRST,
                "| U2 | u | different | better; `BinderSwitch.AS_UPSTREAM` | ATest.holds, scenario:story |",
                "| other text | u | not applicable | there is none | – |");
        assertThat(ParityPage.read(page).rows()).hasSize(3);
        assertThat(ParityPage.read(page).problems(SPEC, SOURCES)).isEmpty();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "| U2 | u | same | | BTest.holds |; 1.1 U2: no such test: BTest.holds",
                "| U2 | u | same | | ATest.fails |; 1.1 U2: no such test: ATest.fails",
                "| U2 | u | same | | ATest.holds, ATest.fails |; 1.1 U2: no such test: ATest.fails",
                "| U2 | u | same | | scenario:tale |; 1.1 U2: no such test: scenario:tale",
                "| U2 | u | same | | |; 1.1 U2: no test: \"\"",
                "| U2 | u | same | | – |; 1.1 U2: no test: \"–\"",
                "| U2 | u | different | no switch: safer | – |; 1.1 U2: no test: \"–\"",
                "| U2 | u | not applicable | | – |; 1.1 U2: does not say why",
                "| U2 | u | different | | ATest.holds |; 1.1 U2: does not say why",
                "| U2 | u | different | better | ATest.holds |; "
                        + "1.1 U2: names neither a switch nor an option, nor says that there is none",
                "| U2 | u | nearly | so | ATest.holds |; 1.1 U2: here is \"nearly\"",
                "| U2 | u | different | BinderSwitch.GONE | ATest.holds |; no such switch: BinderSwitch.GONE",
                "| U3 | u | same | | ATest.holds |; no row for U2",
                "| U2 | u | same | ATest.holds |; no row of 5 cells: | U2 | u | same | ATest.holds |"
            })
    void aDefectIsFound(String row, String problem) {
        assertThat(ParityPage.read(page(FIRST, row)).problems(SPEC, SOURCES)).contains(problem);
    }

    @Test
    void aRuleHasOneRow() {
        assertThat(ParityPage.read(page(FIRST, FIRST)).problems("", SOURCES))
                .containsExactly("1.1 U1: more than one row");
    }

    @Test
    void rulesOfTheSameNameAreToldApartByTheirSection() {
        String specification = "### 1.10 Outside\nX1\n### 3.5 Expansion\nX1\n";
        String outside = page(FIRST).replace("§1.1 ", "§1.10 ").replace("U1", "X1");
        assertThat(ParityPage.read(outside).problems(specification, SOURCES)).containsExactly("no row for 3.5 X1");
        String expansion = outside.replace("§1.10 ", "§3.5 ");
        assertThat(ParityPage.read(expansion).problems(specification, SOURCES)).containsExactly("no row for X1");
        assertThat(ParityPage.read(outside + expansion).problems(specification, SOURCES))
                .isEmpty();
    }

    /** What is looked for in the repository is really looked for. */
    @Test
    void theRepositoryIsAsked() {
        RepositoryTests repository = new RepositoryTests();
        assertThat(repository.hasTest("ParityTest", "aRuleHasOneRow")).isTrue();
        assertThat(repository.hasTest("ParityTest", "aDefectIsFound")).isTrue();
        assertThat(repository.hasTest("ParityTest", "page"))
                .as("a helper is no test")
                .isFalse();
        assertThat(repository.hasTest("ParityTest", "gone")).isFalse();
        assertThat(repository.hasTest("GoneTest", "aRuleHasOneRow")).isFalse();
        assertThat(repository.hasTest("ClaimRulesTest", "aChangeIsAllowed"))
                .as("of the class that it extends")
                .isTrue();
        assertThat(repository.hasScenario("lost-and-back")).isTrue();
        assertThat(repository.hasScenario("gone")).isFalse();
        assertThat(repository.hasSwitch("RECYCLE")).isTrue();
        for (String none : Set.of("BinderSwitch", "key", "GONE")) {
            assertThat(repository.hasSwitch(none)).isFalse();
        }
    }
}
