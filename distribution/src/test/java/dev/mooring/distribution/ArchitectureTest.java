// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The rules no compiler knows. They read the compiled classes of every module but the benchmarks. An exemption is an
 * entry in a table here, with its reason.
 */
class ArchitectureTest {
    /** An empty scan passes every rule: raise this as the code grows. */
    private static final int CLASSES_AT_LEAST = 400;

    private static final int COMPONENTS_BY_POSITION = 5;

    /** Who may ask the machine for the time, for chance or for sleep: class (nested ones included) to reason. */
    private static final Map<String, String> MAY_ASK_THE_MACHINE = Map.ofEntries(
            Map.entry("dev.mooring.junit.world.LiveWorld", "uids that no other cluster has"),
            Map.entry("dev.mooring.junit.world.Quiet", "waits for clients, which run by themselves"),
            Map.entry("dev.mooring.apiserver.ApiServer", "keys and tokens that an attacker cannot guess"),
            Map.entry(
                    "dev.mooring.runtime.control.TimeSource",
                    "the one source of time, which all other classes are given"),
            Map.entry(
                    "dev.mooring.runtime.ControllerRuntime",
                    "closing waits for real threads, whatever clock the controllers see"),
            Map.entry(
                    "dev.mooring.runtime.RuntimeOptions",
                    "the jitter of waiting times, unless another source of chance is given; the JDK's default generator is not in every runtime"),
            Map.entry(
                    "dev.mooring.testkit.bench.KitClock",
                    "the tools of a real machine, on which plugins are tested, take real time"),
            Map.entry(
                    "dev.mooring.volumemanager.look.BoundedLooks",
                    "a look runs in a real thread, and a caller waits for its turn in real time"),
            Map.entry("dev.mooring.simulation.virtual.VirtualWorld", "seeded by the scenario"),
            Map.entry("dev.mooring.simulation.world.SeededIds", "seeded by the scenario"),
            Map.entry(
                    "dev.mooring.distribution.simulate.SimulationRun", "shows how many worlds are played in a second"),
            Map.entry(
                    "dev.mooring.distribution.option.SidecarVolumeOptions",
                    "volumes name the process that made them, as external-provisioner has it"),
            Map.entry(
                    "dev.mooring.distribution.option.HostName",
                    "a candidate for leadership has a name that never was before"),
            Map.entry("dev.mooring.distribution.ControllerCommand", "the page has tokens that cannot be guessed"),
            Map.entry(
                    "dev.mooring.distribution.demo.DemoCluster",
                    "the demonstration is played for real: its uids are random"),
            Map.entry("dev.mooring.distribution.demo.Narrator", "the demonstration shows when things happened"),
            Map.entry(
                    "dev.mooring.distribution.node.HolderName",
                    "two agents that were given one Node by mistake are told apart"),
            Map.entry(
                    "dev.mooring.distribution.standalone.Standalone",
                    "a real server: its keys, token and uids are random"));

    /** What makes a run unrepeatable: "owner.method", "*" for any method. */
    private static final Set<String> UNREPEATABLE = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Thread.sleep",
            "java.lang.Math.random",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone",
            "java.time.Clock.system",
            "java.time.Instant.now",
            "java.time.LocalDate.now",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.util.Collections.shuffle",
            "java.util.Random.<init>",
            "java.util.SplittableRandom.<init>",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.concurrent.TimeUnit.sleep",
            "java.security.SecureRandom.<init>");

    /** Hears what plugins print and log, and says nothing. */
    private static final DescribedPredicate<JavaClass> LISTENS = DescribedPredicate.describe(
            "listens", type -> outermost(type).equals("dev.mooring.testkit.bench.Overheard"));

    /** Hands on what libraries log. */
    private static final DescribedPredicate<JavaClass> HANDS_ON = DescribedPredicate.describe(
            "hands on", type -> outermost(type).equals("dev.mooring.distribution.logging.JdkLog"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPaths(Reactor.units().stream().map(Reactor.Unit::classes).toArray(Path[]::new));

    private static boolean isBuilder(JavaClass type) {
        return type.getSimpleName().endsWith("Builder") && CLASSES.contain(type.getName() + "$With");
    }

    @Test
    void somethingWasScanned() {
        assertThat(CLASSES).hasSizeGreaterThanOrEqualTo(CLASSES_AT_LEAST);
    }

    @Test
    void packagesAreNullMarked() {
        Set<String> wrong = CLASSES.stream()
                .filter(type -> !type.getPackageName().isEmpty())
                .map(JavaClass::getPackage)
                .filter(pack -> !pack.isAnnotatedWith(NullMarked.class))
                .map(pack -> pack.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(wrong).as("packages whose package-info lacks @NullMarked").isEmpty();
    }

    @Test
    void exportedTypesSayHowStableTheyAre() {
        Set<String> exported = new HashSet<>();
        Reactor.libraries().forEach(unit -> exported.addAll(unit.exportedPackages()));
        Set<String> wrong = CLASSES.stream()
                .filter(type -> exported.contains(type.getPackageName()))
                .filter(type -> type.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC))
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.isAnnotatedWith(API.class))
                // a generated builder is as stable as its record
                .filter(type -> !isBuilder(type))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(wrong).as("public types in exported packages without @API").isEmpty();
    }

    /** Six values in a row are easily confused: where a record has a builder, each value stands beside its name. */
    @Test
    void whatHasABuilderAndManyComponentsIsNotMadeByPosition() {
        Set<String> wrong = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            for (JavaConstructorCall call : type.getConstructorCallsFromSelf()) {
                String made = call.getTargetOwner().getName();
                if (CLASSES.contain(made + "Builder")
                        && isBuilder(CLASSES.get(made + "Builder"))
                        && call.getTarget().getRawParameterTypes().size() > COMPONENTS_BY_POSITION) {
                    seen.add(made);
                    if (!outermost(type).equals(made) && !outermost(type).equals(made + "Builder")) {
                        wrong.add(call.getDescription());
                    }
                }
            }
        }
        assertThat(seen).hasSizeGreaterThan(20);
        assertThat(wrong).isEmpty();
    }

    @Test
    void onlyTheApplicationWritesToTheConsole() {
        noClasses()
                .that(DescribedPredicate.not(
                        resideInAPackage("dev.mooring.distribution..").or(LISTENS)))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void timeAndChanceAreGiven() {
        assertThat(MAY_ASK_THE_MACHINE.values())
                .allSatisfy(reason -> assertThat(reason).isNotBlank());
        noClasses()
                .that(DescribedPredicate.describe(
                        "may not ask the machine", type -> !MAY_ASK_THE_MACHINE.containsKey(outermost(type))))
                .should()
                .callCodeUnitWhere(
                        DescribedPredicate.describe("makes a run unrepeatable", ArchitectureTest::isUnrepeatable))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void noClassLogsThroughTheJdk() {
        noClasses()
                .that(DescribedPredicate.not(LISTENS.or(HANDS_ON)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("dev.mooring.(**)")
                .should()
                .beFreeOfCycles()
                // The entry of a module makes what does the work, which is not exported and knows the entry's options.
                .ignoreDependency(resideInAPackage("dev.mooring.binder"), resideInAPackage("dev.mooring.binder.."))
                .ignoreDependency(
                        resideInAPackage("dev.mooring.attachdetach"),
                        resideInAPackage("dev.mooring.attachdetach.control"))
                .ignoreDependency(
                        resideInAPackage("dev.mooring.volumemanager"),
                        resideInAnyPackage(
                                "dev.mooring.volumemanager.adoption",
                                "dev.mooring.volumemanager.control",
                                "dev.mooring.volumemanager.reclaim",
                                "dev.mooring.volumemanager.wanted"))
                // One contract in two packages: what a plugin does, and what the host does for it.
                .ignoreDependency(
                        resideInAPackage("dev.mooring.storage.spi"), resideInAPackage("dev.mooring.storage.spi.host"))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** The formatter looks at all files but module-info and package-info. */
    @Test
    void everySourceNamesItsLicence() {
        Set<String> wrong = new TreeSet<>();
        for (String directory : Reactor.directories()) {
            for (Path file : Reactor.filesBelow(Reactor.ROOT.resolve(directory).resolve("src"), ".java")) {
                if (!Reactor.read(file).startsWith("// SPDX-License-Identifier: Apache-2.0\n")) {
                    wrong.add(Reactor.ROOT.relativize(file).toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isUnrepeatable(JavaCall<?> call) {
        AccessTarget target = call.getTarget();
        return UNREPEATABLE.contains(target.getOwner().getName() + "." + target.getName());
    }

    private static String outermost(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
