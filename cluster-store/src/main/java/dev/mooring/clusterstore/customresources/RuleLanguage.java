// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.projectnessie.cel.Ast;
import org.projectnessie.cel.Env;
import org.projectnessie.cel.EnvOption;
import org.projectnessie.cel.Issues;
import org.projectnessie.cel.Program;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.extension.StringsLib;

/**
 * The Common Expression Language, as rules of schemas are written in it: its standard functions, and those of texts. Kubernetes' own functions
 * (quantities, URLs, addresses, optional values) are not here. Thread-safe.
 */
final class RuleLanguage {
    /** {@code a.?b}, {@code a[?b]}, {@code optional.of(a)}. */
    private static final Pattern OPTIONAL = Pattern.compile("\\.\\?|\\[\\?|\\boptional\\.");

    private static final Pattern QUOTED = Pattern.compile("'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"");

    private static final Env LANGUAGE = Env.newEnv(
            StringsLib.strings(),
            EnvOption.declarations(
                    Decls.newVar(RuleLanguage.SELF, Decls.Dyn), Decls.newVar(RuleLanguage.OLD_SELF, Decls.Dyn)));

    /** The value that a rule speaks of. */
    static final String SELF = "self";
    /** The value before. */
    static final String OLD_SELF = "oldSelf";

    private static final Pattern BEFORE = Pattern.compile("\\b" + OLD_SELF + "\\b");

    private RuleLanguage() {}

    /**
     * An expression that was read.
     *
     * @param program what it does; empty if it cannot be run here
     * @param problem why it cannot be run; empty if it can
     * @param isWrong whether it is no expression in any such language
     */
    record Expression(Optional<Program> program, String problem, boolean isWrong) {
        /** Its value. */
        Val of(Map<String, Object> variables) {
            return program.orElseThrow().eval(variables).getVal();
        }
    }

    /** Reads an expression. An expression that cannot be run here is no exception. */
    static Expression read(String text) {
        if (OPTIONAL.matcher(withoutTexts(text)).find()) {
            return unknown("optional values are not known here");
        }
        try {
            synchronized (LANGUAGE) {
                Env.AstIssuesTuple parsed = LANGUAGE.parse(text);
                if (parsed.hasIssues()) {
                    return new Expression(Optional.empty(), first(parsed.getIssues()), true);
                }
                Env.AstIssuesTuple checked = LANGUAGE.check(parsed.getAst());
                if (checked.hasIssues()) {
                    return unknown(first(checked.getIssues()));
                }
                Ast expression = checked.getAst();
                return new Expression(Optional.of(LANGUAGE.program(expression)), "", false);
            }
        } catch (RuntimeException e) {
            // The library throws where it finds no overload of a function for a value without a type.
            return unknown("it has a function that is not known here");
        }
    }

    private static Expression unknown(String why) {
        return new Expression(Optional.empty(), why, false);
    }

    private static String first(Issues issues) {
        return issues.getErrors().get(0).getMessage();
    }

    /** Whether an expression compares with the value before. */
    static boolean looksBack(String text) {
        return BEFORE.matcher(withoutTexts(text)).find();
    }

    private static String withoutTexts(String text) {
        return QUOTED.matcher(text).replaceAll("''");
    }
}
