// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.config.ConfigSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** One file, the environment, flags: what counts, and what is said of mistakes. */
class ConfigurationTest {
    private static final String TABLES = "\n## All options\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment = new TreeMap<>();

    @TempDir
    private Path directory = Path.of("");

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("mooring.yaml"), text);
    }

    private CommandLine commandLine() {
        return Main.commandLine(environment).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    }

    /** The value that a command would run with. */
    private Object value(String command, String option, String... arguments) {
        String[] all = Stream.concat(Stream.of(command), Stream.of(arguments)).toArray(String[]::new);
        ParseResult parsed = commandLine().parseArgs(all);
        Object value = parsed.subcommand().commandSpec().findOption(option).getValue();
        return String.valueOf(value);
    }

    static Stream<Arguments> precedence() {
        return Stream.of(
                Arguments.of("no source sets it", "", "", "", "6443"),
                Arguments.of("the file", "standalone: {port: 1}", "", "", "1"),
                Arguments.of("a file with a byte order mark", "\uFEFFstandalone: {port: 1}", "", "", "1"),
                Arguments.of("the environment before the file", "standalone: {port: 1}", "2", "", "2"),
                Arguments.of("a flag before the environment", "standalone: {port: 1}", "2", "3", "3"),
                Arguments.of("a flag before the file", "standalone: {port: 1}", "", "3", "3"),
                Arguments.of("another command's section", "controller: {root: /x}", "", "", "6443"),
                Arguments.of("an empty section", "standalone:", "", "", "6443"),
                Arguments.of("an empty variable says nothing", "standalone: {port: 1}", "", "", "1"),
                Arguments.of(
                        "Kubernetes' variables about a service are not ours", "", "tcp://10.0.0.1:443", "", "6443"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("precedence")
    void flagsCountForMoreThanEnvironmentThanFileThanDefaults(
            String rule, String text, String variable, String flag, String expected) throws IOException {
        environment.put("MOORING_PORT", variable);
        environment.put("MOORING_CONFIG", file(text).toString());
        assertThat(flag.isEmpty() ? value("standalone", "--port") : value("standalone", "--port", "--port", flag))
                .as(rule)
                .isEqualTo(expected);
    }

    @Test
    void aFlagNamesTheFileWhereverItStands() throws IOException {
        String file = file("standalone: {port: 1, node: here}").toString();
        assertThat(value("standalone", "--port", "--config", file)).isEqualTo("1");
        assertThat(value("standalone", "--node", "--port", "7", "--config=" + file))
                .isEqualTo("here");
        environment.put("MOORING_CONFIG", "/nowhere/mooring.yaml");
        assertThat(value("standalone", "--port", "--config", file)).isEqualTo("1");
    }

    @Test
    void whatAllCommandsHaveMayStandAtTheTopAndASectionCountsForMore() throws IOException {
        environment.put(
                "MOORING_CONFIG",
                file("log-level: debug\nlog-format: json\ncontroller: {log-level: warn}\n")
                        .toString());
        assertThat(value("standalone", "--log-level")).isEqualTo("DEBUG");
        assertThat(value("controller", "--log-level")).isEqualTo("WARN");
        assertThat(value("controller", "--log-format")).isEqualTo("JSON");
    }

    /** The parser of the command line replaces variables in defaults, and takes what a provider says for defaults. */
    @Test
    void nothingInAValueIsReplaced() throws IOException {
        String odd = "/x/${sys:user.home}/${absent}/$$/%n";
        environment.put(
                "MOORING_CONFIG", file("controller: {root: \"" + odd + "\"}\n").toString());
        assertThat(value("controller", "--root")).isEqualTo(odd);
        environment.put("MOORING_ROOT", odd);
        assertThat(value("controller", "--root")).isEqualTo(odd);
        assertThat(value("controller", "--root", "--root", odd)).isEqualTo(odd);
    }

    @Test
    void valuesAreTheSameAsOnTheCommandLine() throws IOException {
        environment.put("MOORING_CONFIG", file("""
                plugin-setting:
                  kubernetes.io/nfs: {restrict: true, keep: ".a, .b"}
                controller:
                  leader-elect: false
                  leader-elect-lease-duration: 1m30s
                  kube-api-qps: 12.5
                standalone:
                  listen-beyond-loopback: true
                """).toString());
        assertThat(value("controller", "--leader-elect")).isEqualTo("false");
        assertThat(value("controller", "--leader-elect-lease-duration")).isEqualTo("PT1M30S");
        assertThat(value("controller", "--kube-api-qps")).isEqualTo("12.5");
        assertThat(value("standalone", "--listen-beyond-loopback")).isEqualTo("true");
        assertThat(value("standalone", "--plugin-setting"))
                .isEqualTo("{kubernetes.io/nfs:restrict=true, kubernetes.io/nfs:keep=.a, .b}");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("log-levle: debug", ":1: log-levle: is unknown; there are the sections controller,"),
                Arguments.of(
                        "standalone:\n  data-dri: /x", ":2: standalone.data-dri: is unknown; there are bind-address"),
                Arguments.of("port: 1", ":1: port: belongs into the section standalone"),
                Arguments.of("demo: {}", ":1: demo: is unknown; there are the sections controller"),
                Arguments.of("config: x", ":1: config: is unknown"),
                Arguments.of("standalone:\n  port: x", ":2: standalone.port: must be a port from 0 to 65535, not 'x'"),
                Arguments.of(
                        "standalone:\n  port: 65536",
                        ":2: standalone.port: must be a port from 0 to 65535, not '65536'"),
                Arguments.of(
                        "controller:\n  kube-api-qps: -1",
                        ":2: controller.kube-api-qps: must be a number such as 50 or 0.5, not '-1'"),
                Arguments.of(
                        "controller:\n  kube-api-burst: 0",
                        ":2: controller.kube-api-burst: must be a whole number of at least 1, not '0'"),
                Arguments.of("standalone:\n  port: [1]", ":2: standalone.port: must be one value, not a list"),
                Arguments.of("standalone:\n  port: {a: 1}", ":2: standalone.port: must be one value, not a mapping"),
                Arguments.of("standalone:\n  port:", ":2: standalone.port: must have a value"),
                Arguments.of(
                        "standalone:\n  listen-beyond-loopback: perhaps",
                        ":2: standalone.listen-beyond-loopback: 'perhaps' is not a boolean"),
                Arguments.of(
                        "controller: {leader-elect-retry-period: 2}",
                        ":1: controller.leader-elect-retry-period: must be a time such as 15s or 1m30s, not '2'"),
                Arguments.of(
                        "standalone:\n  node: Bad_Name", ":2: standalone.node: must be a DNS subdomain (RFC 1123:"),
                Arguments.of("node:\n  node-name: Q_q", ":2: node.node-name: must be a DNS subdomain (RFC 1123:"),
                Arguments.of(
                        "controller:\n  root: ''", ":2: controller.root: must name a file or directory, not be empty"),
                Arguments.of("log-format: xml", ":1: log-format: must be text or json, not 'xml'"),
                Arguments.of(
                        "standalone:\n  port: 1\n  port: 2",
                        ":3: standalone.port: must not be set twice; it is set in line 2"),
                Arguments.of("standalone: {}\nstandalone: {}", ":2: standalone: must not be set twice"),
                Arguments.of("standalone: 5", ":1: standalone: must be a mapping of keys to values"),
                Arguments.of("standalone: {[a]: 5}", ":1: standalone: must have plain strings as keys"),
                Arguments.of("- a", ":1: must be a mapping of keys to values"),
                Arguments.of("a: b: c", ":1: must be one YAML document"),
                Arguments.of("a: {", ":1: must be one YAML document"),
                Arguments.of("a: 1\n---\nb: 2", ":2: must be one YAML document: expected a single document"),
                Arguments.of("plugin-setting: [a]", ":1: plugin-setting: must be a mapping of keys to values"),
                Arguments.of(
                        "plugin-setting:\n  a:\n    b: [c]", ":3: plugin-setting.a.b: must be one value, not a list"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsToldWithFileLineKeyAndRule(String text, String expected) throws IOException {
        Path file = file(text);
        assertThat(commandLine().execute("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith(file + expected);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void allMistakesAreToldAtOnceAndNothingIsStarted() throws IOException {
        Path file = file("log-level: loud\nnode: x\nstandalone:\n  port: x\n  data-dri: y\n");
        environment.put("MOORING_PORT", "seven");
        assertThat(commandLine().execute("standalone", "--config", file.toString()))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(5)
                .anyMatch(
                        line -> line.equals("environment: MOORING_PORT: must be a port from 0 to 65535, not 'seven'"));
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        assertThat(commandLine().execute("standalone", "--config", "/nowhere/mooring.yaml"))
                .isEqualTo(2);
        assertThat(err.toString()).isEqualTo("/nowhere/mooring.yaml: there is no such file\n");
    }

    @Test
    void pluginsAreAskedAboutTheirSettings() throws IOException {
        Path file = file("""
                plugin-setting:
                  kubernetes.io/nfs: {restrict: perhaps}
                node:
                  plugin-setting:
                    kubernetes.io/nfs: {restrict: true}
                    absent.example.com: {x: 1}
                """);
        assertThat(commandLine().execute("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .startsWith(file + ":2: plugin-setting.kubernetes.io/nfs.restrict: kubernetes.io/nfs: ")
                        .contains("restrict"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(file + ":6: node.plugin-setting.absent.example.com: no plugin absent.example.com"));
    }

    @Test
    void everyMistakeOfAPluginsSettingsIsToldWhereItStands() throws IOException {
        Path file = file("""
                plugin-setting:
                  kubernetes.io/nfs:
                    restrict: maybe
                    nothing.of.this: x
                  no.such/plugin:
                    a: 1
                    b: 2
                """);
        assertThat(commandLine().execute("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString()
                        .lines()
                        .map(line -> line.substring(file.toString().length())))
                .hasSize(3)
                .anyMatch(line -> line.startsWith(":3: plugin-setting.kubernetes.io/nfs.restrict: "))
                .anyMatch(line -> line.startsWith(":4: plugin-setting.kubernetes.io/nfs.nothing.of.this: "))
                .anyMatch(line -> line.startsWith(":5: plugin-setting.no.such/plugin: no plugin no.such/plugin "));
    }

    @Test
    void aGoodFileIsGood() throws IOException {
        Path file = file("# nothing but a comment\n");
        assertThat(commandLine().execute("config", "check", file.toString())).isZero();
        assertThat(out.toString()).isEqualTo(file + ": ok\n");
    }

    @Test
    void whoAsksForACommandThatIsNoneIsSentToTheRightHelp() {
        assertThat(commandLine().execute("config", "show", "demo")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "mooring: must be one of controller, node, standalone, not 'demo'",
                        "'mooring config show --help' says what it takes.");
    }

    @Test
    void showsWhoSaysWhat() throws IOException {
        Path file = file("standalone:\n  port: 7\n");
        environment.put("MOORING_NODE", "here");
        assertThat(commandLine().execute("config", "show", "standalone", "--config", file.toString()))
                .isZero();
        assertThat(out.toString().lines())
                .contains(
                        "port: 7    # " + file + ":2",
                        "node: here    # MOORING_NODE",
                        "log-level: info    # default",
                        "data-dir: mooring-data    # default");
    }

    @Test
    void variablesAndKeysFollowFromTheNames() {
        ConfigSchema schema = Main.schema();
        for (String section : schema.sections()) {
            List<OptionSpec> options = schema.options(section);
            assertThat(options).isNotEmpty();
            assertThat(options.stream().map(ConfigSchema::variable))
                    .doesNotHaveDuplicates()
                    .allMatch(variable -> variable.matches("MOORING_[A-Z0-9_]+"));
            assertThat(schema.options("").stream().map(ConfigSchema::key))
                    .isSubsetOf(options.stream().map(ConfigSchema::key).toList());
        }
    }

    /** Nothing is said in the file that is shipped; what stands there in comments may be, line by line or all of it. */
    @Test
    void theFileThatIsShippedCanBeUsed() throws IOException {
        Path shipped = Reactor.ROOT.resolve("distribution/src/dist/conf/mooring.yaml");
        assertThat(commandLine().execute("config", "check", shipped.toString())).isZero();
        String all = Reactor.read(shipped).replaceAll("(?m)^#(?=[ ]*[a-z./-]+:)", "");
        Path file = file(all.replace("/var/lib/mooring\n", "/elsewhere\n"));
        assertThat(commandLine().execute("config", "check", file.toString()))
                .as(err.toString())
                .isZero();
        environment.put("MOORING_CONFIG", file.toString());
        assertThat(value("standalone", "--data-dir")).isEqualTo("/elsewhere");
        assertThat(value("node", "--node-name")).isEqualTo("worker-1");
        assertThat(value("controller", "--leader-elect-retry-period")).isEqualTo("PT2S");
    }

    /** The tables of docs/operate/configuration.md are what the commands declare. */
    @Test
    void everyOptionIsDocumented() throws IOException {
        ConfigSchema schema = Main.schema();
        StringBuilder expected = new StringBuilder();
        table(expected, "every command", schema.options(""), "");
        List<String> common = schema.options("").stream().map(ConfigSchema::key).toList();
        for (String section : schema.sections()) {
            List<OptionSpec> own = schema.options(section).stream()
                    .filter(option -> !common.contains(ConfigSchema.key(option)))
                    .toList();
            table(expected, "`" + section + "`", own, section + ".");
        }
        Path page = Reactor.ROOT.resolve("docs/operate/configuration.md");
        String text = Reactor.read(page);
        int tables = text.indexOf(TABLES) + TABLES.length();
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(page, text.substring(0, tables) + expected);
        }
        assertThat(Reactor.read(page).substring(tables))
                .as(
                        "the tables of docs/operate/configuration.md; if the change is meant: mvn verify -Dgolden.update=true")
                .isEqualTo(expected.toString());
    }

    private static void table(StringBuilder to, String title, List<OptionSpec> options, String prefix) {
        to.append("\n### Options of ")
                .append(title)
                .append("\n\n| key | variable | default | what it is |\n|---|---|---|---|\n");
        for (OptionSpec option : options) {
            String fallback = Optional.ofNullable(option.defaultValue())
                    .map(value -> "`" + value + "`")
                    .orElse("");
            to.append("| `").append(prefix).append(ConfigSchema.key(option));
            to.append("` | `")
                    .append(ConfigSchema.variable(option))
                    .append("` | ")
                    .append(fallback)
                    .append(" | ");
            to.append(String.join(" ", option.description()).replace(" (" + option.defaultValue() + ")", ""))
                    .append(" |\n");
        }
    }
}
